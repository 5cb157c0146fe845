// Package kinds contains what distinguishes Kubernetes' own kinds from each other when they are written: preparation,
// checks that concern several fields, warnings, what a write of the status may change, and the fields by which objects
// can be selected. Rules of single fields are in package validation, defaults in package defaults.
//
// [RulesOf] returns the rules of a resource; tables in this file contain what is yes or no, functions in the file of
// the kind the rest. A function of the rules may modify the new object, never the old one, and is called for objects
// of the stored version.
package kinds

import (
	"context"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/hooks"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Rules are the differences between kinds. A nil function does nothing.
type Rules struct {
	Generation     bool // increases when the desired state changes
	CreateOnUpdate bool // an update of a missing object creates it
	Conditional    bool // an update must contain the resource version
	ReturnDeleted  bool // a deletion returns the object
	KeepsStatus    bool // a status in a new object is retained
	AnyFinalizers  bool // finalizers need no domain
	ChangesFirst   bool // what may not change is checked before what is invalid
	LabelsFixed    bool // writes of the status do not change the labels
	MetadataFixed  bool // writes of the status do not change the metadata
	SpecFixed      bool // an update restores what is desired
	StatusResets   [][]any
	NoEffect       string // a warning that objects are stored and nothing else; "" for others
	ValidName      validation.ValidateNameFunc
	Garbage        rest.GarbageCollectionPolicy

	PrepareCreate      func(obj runtime.Object)
	Migrate            func(obj runtime.Object) (warnings []string) // fields that deprecated ones of a new object say
	PrepareUpdate      func(obj, old runtime.Object)
	PrepareStatus      func(obj, old runtime.Object)
	Changed            func(obj, old runtime.Object) bool // besides the desired state
	Canonicalize       func(obj runtime.Object)
	Validate           func(obj runtime.Object) field.ErrorList // on create and update
	ValidateUpdate     func(obj, old runtime.Object) field.ErrorList
	ValidateRequest    func(ctx context.Context, obj, old runtime.Object) field.ErrorList // on create, with nil, and update
	Warn               func(obj, old runtime.Object) []string                             // on create, with nil, and update
	WarnStatus         func(obj runtime.Object) []string                                  // when the status is written
	Grace              func(obj runtime.Object, options *metav1.DeleteOptions) bool
	Fields             func(obj runtime.Object, set fields.Set) // by which objects can be selected, besides name and namespace
	DeleteDuringUpdate func(ctx context.Context, key string, obj, existing runtime.Object) bool
	TTL                func(obj runtime.Object, existing uint64, update bool) (uint64, error)
}

// OtherRules returns the rules of a kind that is not Kubernetes' own: those of custom resources.
func OtherRules() Rules {
	return Rules{Generation: true, Conditional: true, MetadataFixed: true, Garbage: rest.DeleteDependents, ValidName: validation.NameIsDNSSubdomain}
}

// RulesOf returns the rules of one of Kubernetes' own resources.
func RulesOf(gr schema.GroupResource) Rules {
	r := Rules{
		Generation:     hasGeneration[gr],
		CreateOnUpdate: createsOnUpdate[gr],
		Conditional:    isConditional[gr],
		ReturnDeleted:  returnsDeleted[gr],
		MetadataFixed:  metadataFixed[gr],
		AnyFinalizers:  anyFinalizers[gr],
		ValidName:      validation.NameIsDNSSubdomain,
		Garbage:        rest.DeleteDependents,
	}
	if gr.Group == "rbac.authorization.k8s.io" {
		r.ValidName = isPathSegment
	}
	if gr.Group == "admissionregistration.k8s.io" {
		r.Validate = hooks.Validate
		r.Changed = webhooksChanged
		r.Warn = func(obj, _ runtime.Object) []string { return hooks.Warn(obj) }
	}
	if gr.Group == "flowcontrol.apiserver.k8s.io" {
		r.NoEffect = "apitest has no priority and fairness: " + gr.String() + " have no effect"
	}
	if anyName[gr] {
		r.ValidName = func(string, bool) []string { return nil } // what cannot be in a path is rejected for all kinds
	}
	if adapt, ok := adapted[gr]; ok {
		adapt(&r)
	}
	return r
}

// isPathSegment checks a name that may be anything that is valid in a path.
func isPathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// resources reads a list of group-resources, each as resource.group.
func resources(list string) map[schema.GroupResource]bool {
	out := map[schema.GroupResource]bool{}
	for name := range strings.FieldsSeq(list) {
		out[schema.ParseGroupResource(name)] = true
	}
	return out
}

var (
	hasGeneration = resources(`
		pods podtemplates replicationcontrollers
		daemonsets.apps deployments.apps replicasets.apps statefulsets.apps
		jobs.batch cronjobs.batch
		horizontalpodautoscalers.autoscaling
		ingresses.networking.k8s.io ingressclasses.networking.k8s.io networkpolicies.networking.k8s.io
		poddisruptionbudgets.policy endpointslices.discovery.k8s.io
		flowschemas.flowcontrol.apiserver.k8s.io prioritylevelconfigurations.flowcontrol.apiserver.k8s.io
		resourceslices.resource.k8s.io deviceclasses.resource.k8s.io devicetaintrules.resource.k8s.io
		validatingadmissionpolicies.admissionregistration.k8s.io validatingadmissionpolicybindings.admissionregistration.k8s.io
		mutatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicybindings.admissionregistration.k8s.io
		validatingwebhookconfigurations.admissionregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io`)
	createsOnUpdate = resources(`
		endpoints events limitranges services runtimeclasses.node.k8s.io
		leases.coordination.k8s.io leasecandidates.coordination.k8s.io events.events.k8s.io
		roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io
		clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io`)
	isConditional = resources(`
		runtimeclasses.node.k8s.io poddisruptionbudgets.policy storageversionmigrations.storagemigration.k8s.io
		clustertrustbundles.certificates.k8s.io podcertificaterequests.certificates.k8s.io devicetaintrules.resource.k8s.io
		leases.coordination.k8s.io leasecandidates.coordination.k8s.io
		csidrivers.storage.k8s.io csistoragecapacities.storage.k8s.io volumeattachments.storage.k8s.io csinodes.storage.k8s.io
		validatingadmissionpolicies.admissionregistration.k8s.io validatingadmissionpolicybindings.admissionregistration.k8s.io
		mutatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicybindings.admissionregistration.k8s.io
		validatingwebhookconfigurations.admissionregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io`)
	metadataFixed = resources(`
		servicecidrs.networking.k8s.io volumeattachments.storage.k8s.io csinodes.storage.k8s.io
		podcertificaterequests.certificates.k8s.io storageversionmigrations.storagemigration.k8s.io
		resourceclaims.resource.k8s.io devicetaintrules.resource.k8s.io resourcepoolstatusrequests.resource.k8s.io
		podgroups.scheduling.k8s.io
		flowschemas.flowcontrol.apiserver.k8s.io prioritylevelconfigurations.flowcontrol.apiserver.k8s.io
		validatingadmissionpolicies.admissionregistration.k8s.io`)
	anyFinalizers = resources(`
		events poddisruptionbudgets.policy runtimeclasses.node.k8s.io
		leases.coordination.k8s.io leasecandidates.coordination.k8s.io
		validatingadmissionpolicies.admissionregistration.k8s.io validatingadmissionpolicybindings.admissionregistration.k8s.io
		mutatingadmissionpolicies.admissionregistration.k8s.io mutatingadmissionpolicybindings.admissionregistration.k8s.io
		validatingwebhookconfigurations.admissionregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io`)
	anyName        = resources(`events poddisruptionbudgets.policy certificatesigningrequests.certificates.k8s.io`)
	returnsDeleted = resources(`
		namespaces persistentvolumes persistentvolumeclaims pods podtemplates resourcequotas services serviceaccounts
		deviceclasses.resource.k8s.io resourceclaims.resource.k8s.io resourceclaimtemplates.resource.k8s.io resourceslices.resource.k8s.io
		csidrivers.storage.k8s.io csinodes.storage.k8s.io storageclasses.storage.k8s.io volumeattachments.storage.k8s.io
		volumeattributesclasses.storage.k8s.io`)
)

// adapted are the kinds whose rules are more than the tables above.
var adapted = map[schema.GroupResource]func(*Rules){
	{Resource: "configmaps"}:                                               configMapRules,
	{Resource: "endpoints"}:                                                func(r *Rules) { r.Warn = warnEndpoints },
	{Resource: "events"}:                                                   eventRules,
	{Resource: "namespaces"}:                                               namespaceRules,
	{Resource: "nodes"}:                                                    nodeRules,
	{Resource: "persistentvolumes"}:                                        volumeRules,
	{Resource: "persistentvolumeclaims"}:                                   claimRules,
	{Resource: "pods"}:                                                     podRules,
	{Resource: "podtemplates"}:                                             podTemplateRules,
	{Group: "apps", Resource: "replicasets"}:                               replicaSetRules,
	{Group: "apps", Resource: "statefulsets"}:                              statefulSetRules,
	{Resource: "replicationcontrollers"}:                                   replicationControllerRules,
	{Resource: "resourcequotas"}:                                           func(r *Rules) { r.Warn = warnQuota },
	{Resource: "secrets"}:                                                  secretRules,
	{Resource: "serviceaccounts"}:                                          accountRules,
	{Group: "discovery.k8s.io", Resource: "endpointslices"}:                sliceRules,
	{Group: "networking.k8s.io", Resource: "ipaddresses"}:                  func(r *Rules) { r.ValidName = addressName },
	{Group: "networking.k8s.io", Resource: "networkpolicies"}:              networkPolicyRules,
	{Group: "scheduling.k8s.io", Resource: "priorityclasses"}:              priorityClassRules,
	{Resource: "services"}:                                                 serviceRules,
	{Group: "rbac.authorization.k8s.io", Resource: "rolebindings"}:         bindingRules,
	{Group: "rbac.authorization.k8s.io", Resource: "clusterrolebindings"}:  clusterBindingRules,
	{Group: "rbac.authorization.k8s.io", Resource: "clusterroles"}:         clusterRoleRules,
	{Group: "rbac.authorization.k8s.io", Resource: "roles"}:                roleRules,
	{Group: "apps", Resource: "daemonsets"}:                                daemonSetRules,
	{Group: "apps", Resource: "deployments"}:                               deploymentRules,
	{Group: "autoscaling", Resource: "horizontalpodautoscalers"}:           func(r *Rules) { r.Validate = validateAutoscaler },
	{Group: "batch", Resource: "cronjobs"}:                                 cronJobRules,
	{Group: "storage.k8s.io", Resource: "csidrivers"}:                      storageDriverRules,
	{Group: "certificates.k8s.io", Resource: "certificatesigningrequests"}: signingRequestRules,
	{Group: "certificates.k8s.io", Resource: "clustertrustbundles"}:        bundleRules,
	{Group: "certificates.k8s.io", Resource: "podcertificaterequests"}:     func(r *Rules) { r.Fields = podCertificateFields },
	{Group: "networking.k8s.io", Resource: "ingresses"}:                    func(r *Rules) { r.Warn, r.WarnStatus = warnIngress, warnIngressStatus },
	{Group: "resource.k8s.io", Resource: "resourceslices"}:                 func(r *Rules) { r.Fields, r.Warn = sliceFields, warnSlice },
	{Group: "resource.k8s.io", Resource: "resourceclaims"}:                 deviceClaimRules,
	{Group: "storage.k8s.io", Resource: "storageclasses"}:                  func(r *Rules) { r.Warn = warnStorageClass },
	{Group: "storage.k8s.io", Resource: "csistoragecapacities"}:            func(r *Rules) { r.Warn = warnCapacity },
	{Group: "node.k8s.io", Resource: "runtimeclasses"}:                     func(r *Rules) { r.Warn = warnRuntimeClass },
	{Group: "batch", Resource: "jobs"}:                                     jobRules,
}
