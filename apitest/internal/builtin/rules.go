package builtin

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
type rules struct {
	generation     bool // increases when the desired state changes
	createOnUpdate bool // an update of a missing object creates it
	conditional    bool // an update must contain the resource version
	returnDeleted  bool // a deletion returns the object
	keepsStatus    bool // a status in a new object is retained
	labelsFixed    bool // writes of the status do not change the labels
	metadataFixed  bool // writes of the status do not change the metadata
	statusResets   [][]any
	validName      validation.ValidateNameFunc
	garbage        rest.GarbageCollectionPolicy

	prepareCreate      func(obj runtime.Object)
	prepareUpdate      func(obj, old runtime.Object)
	prepareStatus      func(obj, old runtime.Object)
	changed            func(obj, old runtime.Object) bool // besides the desired state
	canonicalize       func(obj runtime.Object)
	validate           func(obj runtime.Object) field.ErrorList // on create and update
	validateUpdate     func(obj, old runtime.Object) field.ErrorList
	warn               func(obj, old runtime.Object) []string // on create, with nil, and update
	warnDelete         func(options *metav1.DeleteOptions) string
	grace              func(obj runtime.Object, options *metav1.DeleteOptions) bool
	fields             func(obj runtime.Object, set fields.Set)
	deleteDuringUpdate func(ctx context.Context, key string, obj, existing runtime.Object) bool
	ttl                func(obj runtime.Object, existing uint64, update bool) (uint64, error)
}

// rulesOf returns the rules of a resource.
func rulesOf(def *definition) rules {
	if !def.known {
		return rules{generation: true, conditional: true, metadataFixed: true, garbage: rest.DeleteDependents, validName: validation.NameIsDNSSubdomain}
	}
	gr := def.gvr.GroupResource()
	r := rules{
		generation:     hasGeneration[gr],
		createOnUpdate: createsOnUpdate[gr],
		conditional:    isConditional[gr],
		returnDeleted:  returnsDeleted[gr],
		metadataFixed:  metadataFixed[gr],
		validName:      validation.NameIsDNSSubdomain,
		garbage:        rest.DeleteDependents,
	}
	if gr.Group == "rbac.authorization.k8s.io" {
		r.validName = isPathSegment
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
		poddisruptionbudgets.policy endpointslices.discovery.k8s.io priorityclasses.scheduling.k8s.io
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
		runtimeclasses.node.k8s.io poddisruptionbudgets.policy
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
	returnsDeleted = resources(`
		namespaces persistentvolumes persistentvolumeclaims pods podtemplates resourcequotas services serviceaccounts
		deviceclasses.resource.k8s.io resourceclaims.resource.k8s.io resourceclaimtemplates.resource.k8s.io resourceslices.resource.k8s.io
		csidrivers.storage.k8s.io csinodes.storage.k8s.io storageclasses.storage.k8s.io volumeattachments.storage.k8s.io
		volumeattributesclasses.storage.k8s.io`)
)

// adapted are the kinds whose rules are more than the tables above.
var adapted = map[schema.GroupResource]func(*rules){
	{Resource: "configmaps"}:             configMapRules,
	{Resource: "events"}:                 eventRules,
	{Resource: "namespaces"}:             namespaceRules,
	{Resource: "nodes"}:                  func(r *rules) { r.fields, r.keepsStatus = nodeFields, true },
	{Resource: "persistentvolumes"}:      volumeRules,
	{Resource: "persistentvolumeclaims"}: func(r *rules) { r.prepareCreate = pendingClaim },
	{Resource: "pods"}:                   podRules,
	{Resource: "replicationcontrollers"}: replicationControllerRules,
	{Resource: "secrets"}:                secretRules,
	{Resource: "services"}:               serviceRules,
	{Group: "rbac.authorization.k8s.io", Resource: "rolebindings"}:         bindingRules,
	{Group: "rbac.authorization.k8s.io", Resource: "clusterrolebindings"}:  clusterBindingRules,
	{Group: "rbac.authorization.k8s.io", Resource: "clusterroles"}:         clusterRoleRules,
	{Group: "rbac.authorization.k8s.io", Resource: "roles"}:                roleRules,
	{Group: "apps", Resource: "daemonsets"}:                                daemonSetRules,
	{Group: "apps", Resource: "deployments"}:                               deploymentRules,
	newAutoscalers.GroupResource():                                         func(r *rules) { r.validate = validateAutoscaler },
	{Group: "batch", Resource: "cronjobs"}:                                 func(r *rules) { r.garbage = rest.OrphanDependents },
	{Group: "storage.k8s.io", Resource: "csidrivers"}:                      func(r *rules) { r.warn = warnDriver },
	{Group: "certificates.k8s.io", Resource: "certificatesigningrequests"}: signingRequestRules,
	{Group: "batch", Resource: "jobs"}:                                     jobRules,
	mutatingHooks.GroupResource():                                          func(r *rules) { r.validate = hooks.Validate },
	validatingHooks.GroupResource():                                        func(r *rules) { r.validate = hooks.Validate },
}
