package plugins

import (
	"slices"

	"k8s.io/apiserver/pkg/admission"
)

// State is whether a plugin of the real server has an effect here.
type State int

const (
	// Default is the state of plugins that are enabled unless they are disabled, as in the real server.
	Default State = iota
	// Optional is the state of plugins that are enabled only if they are named.
	Optional
	// Gated is the state of plugins that the real server enables, but whose effect its feature gates disable.
	Gated
	// Missing is the state of plugins that the real server enables only if they are named, and that do not exist here.
	Missing
)

// Plugin describes an admission plugin of the real server.
type Plugin struct {
	Name   string
	State  State
	Effect string // a clause for documents
	build  func(Options) admission.Interface
}

// Names of plugins to which other packages refer.
const (
	MutatingPolicy    = "MutatingAdmissionPolicy"
	MutatingWebhook   = "MutatingAdmissionWebhook"
	ValidatingPolicy  = "ValidatingAdmissionPolicy"
	ValidatingWebhook = "ValidatingAdmissionWebhook"
)

// table contains the real server's plugins in its order. The four that call webhooks and policies are Options.Hooks.
var table = []Plugin{
	{"AlwaysAdmit", Missing, "admits everything; deprecated", nil},
	{"NamespaceAutoProvision", Missing, "creates missing namespaces", nil},
	{"NamespaceLifecycle", Default, "rejects objects in namespaces that are missing or terminate, and the deletion of some namespaces",
		func(o Options) admission.Interface { return &lifecycle{o.Reader, o.Namespaces} }},
	{"NamespaceExists", Missing, "rejects objects in missing namespaces", nil},
	{"LimitPodHardAntiAffinityTopology", Missing, "restricts the topology keys of anti-affinity", nil},
	{"LimitRanger", Default, "sets and checks the requests and limits of pods and claims",
		func(o Options) admission.Interface { return &limiter{o.Reader} }},
	{"ServiceAccount", Optional, "sets the service account of pods, which must exist, and mounts its token", serviceAccounts},
	{"NodeRestriction", Missing, "restricts what nodes may write", nil},
	{"TaintNodesByCondition", Default, "taints new nodes as not ready", taintNodes},
	{"AlwaysPullImages", Missing, "sets the policy for images of pods", nil},
	{"ImagePolicyWebhook", Missing, "asks a webhook about images", nil},
	{"PodSecurity", Default, "checks pods as the labels of their namespace demand", podSecurity},
	{"PodNodeSelector", Missing, "sets node selectors by annotations of namespaces", nil},
	{"Priority", Default, "sets the priority of pods by their class or the global default, of which there is one", priorities},
	{"DefaultTolerationSeconds", Default, "lets pods tolerate unhealthy nodes for five minutes", tolerations},
	{"PodTolerationRestriction", Missing, "restricts tolerations by annotations of namespaces", nil},
	{"EventRateLimit", Missing, "limits the rate of events", nil},
	{"ExtendedResourceToleration", Missing, "lets pods tolerate the taints of nodes with the devices that they request", nil},
	{"DefaultStorageClass", Default, "sets the storage class of claims", defaultStorageClass},
	{"StorageObjectInUseProtection", Default, "sets the finalizers of volumes, claims and volume attributes classes", protectStorage},
	{"PodGroupProtection", Gated, "sets the finalizer of pod groups (gate GenericWorkload)", nil},
	{"OwnerReferencesPermissionEnforcement", Missing, "restricts who may set owner references", nil},
	{"PersistentVolumeClaimResize", Default, "rejects larger claims unless they are bound and their storage class allows it", resizeClaims},
	{"RuntimeClass", Default, "sets the overhead, node selector and tolerations of pods by their runtime class", runtimeClasses},
	{"CertificateApproval", Default, "rejects approvals by users who may not approve for the signer", approveCertificates},
	{"CertificateSigning", Default, "rejects certificates of users who may not sign for the signer", signCertificates},
	{"ClusterTrustBundleAttest", Default, "rejects trust bundles of users who may not attest for the signer", attestBundles},
	{"CertificateSubjectRestriction", Default, "rejects requests for client certificates of group system:masters", restrictSubjects},
	{"DefaultIngressClass", Default, "sets the class of ingresses", defaultIngressClass},
	{"DenyServiceExternalIPs", Missing, "rejects new external addresses of services", nil},
	{"PodTopologyLabels", Default, "copies the zone and region of nodes to the pods that are assigned to them", topologyLabels},
	{"NodeDeclaredFeatureValidator", Default, "rejects updates of pods that need a feature their node does not declare", declaredFeatures},
	{"PodResizeValidator", Default, "rejects resizes of pods beyond what their node can allocate", resizePods},
	{MutatingPolicy, Default, "evaluates MutatingAdmissionPolicies", nil},
	{MutatingWebhook, Default, "calls mutating webhooks", nil},
	{ValidatingPolicy, Default, "evaluates ValidatingAdmissionPolicies", nil},
	{ValidatingWebhook, Default, "calls validating webhooks", nil},
	{"ResourceQuota", Default, "rejects what exceeds a quota, and counts the rest",
		func(o Options) admission.Interface { return &quotaAdmission{reader: o.Reader} }},
	{"AlwaysDeny", Missing, "rejects everything; deprecated", nil},
}

// All returns the real server's plugins, in its order.
func All() []Plugin { return slices.Clone(table) }

// Names returns the names of the plugins in a state.
func Names(states ...State) []string {
	var names []string
	for _, p := range table {
		if slices.Contains(states, p.State) {
			names = append(names, p.Name)
		}
	}
	return names
}
