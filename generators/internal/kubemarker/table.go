package kubemarker

import (
	"slices"
	"strings"
)

// both are the places of markers about schemas.
const both = OnType | OnField

// Definitions are the known markers, sorted by name. A name occurs twice if the marker has different
// meanings in different places.
var Definitions = slices.SortedFunc(slices.Values(slices.Concat(validations, fields, types, kinds, packages, programs)), func(a, b *Definition) int {
	return strings.Compare(a.Name, b.Name)
})

// validations have a variant for the items of a list.
var validations = []*Definition{
	{Name: validation + "Maximum", Places: both, Kind: WholeNumber, Fits: Numeric, Example: "+kubebuilder:validation:Maximum=100"},
	{Name: validation + "Minimum", Places: both, Kind: WholeNumber, Fits: Numeric, Example: "+kubebuilder:validation:Minimum=0"},
	{Name: validation + "ExclusiveMaximum", Places: both, Kind: Bool, Fits: Numeric, Example: "+kubebuilder:validation:ExclusiveMaximum=true"},
	{Name: validation + "ExclusiveMinimum", Places: both, Kind: Bool, Fits: Numeric, Example: "+kubebuilder:validation:ExclusiveMinimum=true"},
	{Name: validation + "MultipleOf", Places: both, Kind: Number, Fits: Numeric, Example: "+kubebuilder:validation:MultipleOf=5"},
	{Name: validation + "MinProperties", Places: both, Kind: Int, Fits: Object, Example: "+kubebuilder:validation:MinProperties=1"},
	{Name: validation + "MaxProperties", Places: both, Kind: Int, Fits: Object, Example: "+kubebuilder:validation:MaxProperties=10"},
	{Name: validation + "MaxLength", Places: both, Kind: Int, Fits: Textual | IntOrString, Example: "+kubebuilder:validation:MaxLength=63"},
	{Name: validation + "MinLength", Places: both, Kind: Int, Fits: Textual | IntOrString, Example: "+kubebuilder:validation:MinLength=1"},
	{Name: validation + "Pattern", Places: both, Kind: String, Fits: Textual | IntOrString, Example: "+kubebuilder:validation:Pattern=`^[a-z]+$`"},
	{Name: validation + "MaxItems", Places: both, Kind: WholeInt, Fits: Array, Example: "+kubebuilder:validation:MaxItems=10"},
	{Name: validation + "MinItems", Places: both, Kind: Int, Fits: Array, Example: "+kubebuilder:validation:MinItems=1"},
	{Name: validation + "UniqueItems", Places: both, Kind: Bool, Fits: Array, Example: "+kubebuilder:validation:UniqueItems=true"},
	{Name: validation + "Enum", Places: both, Kind: Anys, Example: "+kubebuilder:validation:Enum=Small;Large"},
	{Name: validation + "Format", Places: both, Kind: String, Example: "+kubebuilder:validation:Format=date-time"},
	{Name: validation + "Type", Places: both, Kind: String, Example: "+kubebuilder:validation:Type=string"},
	{Name: validation + "XPreserveUnknownFields", Places: both},
	{Name: validation + "XEmbeddedResource", Places: both},
	{Name: validation + "XIntOrString", Places: both},
	{Name: validation + "XValidation", Places: both, Arguments: []Argument{
		{Name: "rule", Kind: String},
		{Name: "message", Kind: String, Optional: true},
		{Name: "messageExpression", Kind: String, Optional: true},
		{Name: "reason", Kind: String, Optional: true},
		{Name: "fieldPath", Kind: String, Optional: true},
		{Name: "optionalOldSelf", Kind: Bool, Optional: true},
	}, Example: `+kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not exceed max"`},
}

// fields describe one field.
var fields = []*Definition{
	{Name: validation + "Required", Places: OnField},
	{Name: validation + "Optional", Places: OnField},
	{Name: "required", Places: OnField},
	{Name: "optional", Places: OnField},
	{Name: "k8s:required", Places: OnField},
	{Name: "k8s:optional", Places: OnField},
	{Name: "nullable", Places: OnField},
	{Name: "kubebuilder:default", Places: OnField, Kind: Any, Example: "+kubebuilder:default=3"},
	{Name: "default", Places: OnField, Kind: JSON, Example: `+default="small"`},
	{Name: "kubebuilder:example", Places: OnField, Kind: Any, Example: "+kubebuilder:example=3"},
	{Name: validation + "EmbeddedResource", Places: OnField},
	{Name: validation + "Schemaless", Places: OnField},
	{Name: "k8s:immutable", Places: OnField},
	{Name: "k8s:maxItems", Places: OnField, Kind: WholeInt, Fits: Array, Example: "+k8s:maxItems=10"},
	{Name: "k8s:minimum", Places: OnField, Kind: WholeNumber, Fits: Numeric, Example: "+k8s:minimum=0"},
	{Name: "k8s:maximum", Places: OnField, Kind: WholeNumber, Fits: Numeric, Example: "+k8s:maximum=100"},
}

// types describe types, and most of them fields too.
var types = []*Definition{
	{Name: validation + "AtMostOneOf", Places: OnType, Kind: Strings, Fits: Object, Example: "+kubebuilder:validation:AtMostOneOf=secret;configMap"},
	{Name: validation + "ExactlyOneOf", Places: OnType, Kind: Strings, Fits: Object, Example: "+kubebuilder:validation:ExactlyOneOf=secret;configMap"},
	{Name: validation + "AtLeastOneOf", Places: OnType, Kind: Strings, Fits: Object, Example: "+kubebuilder:validation:AtLeastOneOf=secret;configMap"},
	{Name: "k8s:enum", Places: OnType, Fits: Textual},
	{Name: "kubebuilder:pruning:PreserveUnknownFields", Places: both},
	{Name: "kubebuilder:title", Places: both, Kind: Any, Example: `+kubebuilder:title="Number of replicas"`},
	{Name: "kubebuilder:externalDocs", Places: both, Arguments: []Argument{
		{Name: "url", Kind: String},
		{Name: "description", Kind: String, Optional: true},
	}, Example: `+kubebuilder:externalDocs:url="https://example.com/docs"`},
	{Name: "listType", Places: both, Kind: String, Fits: Array, Example: "+listType=set"},
	{Name: "listMapKey", Places: both, Kind: String, Fits: Array, Example: "+listMapKey=name"},
	{Name: "mapType", Places: both, Kind: String, Fits: Object, Example: "+mapType=atomic"},
	{Name: "structType", Places: both, Kind: String, Fits: Object | Untyped, Example: "+structType=atomic"},
	{Name: "k8s:listType", Places: both, Kind: String, Fits: Array, Example: "+k8s:listType=set"},
	{Name: "k8s:listMapKey", Places: both, Kind: String, Fits: Array, Example: "+k8s:listMapKey=name"},
}

// kinds describe the definition of a kind.
var kinds = []*Definition{
	{Name: "kubebuilder:subresource:status", Places: OnType},
	{Name: "kubebuilder:subresource:scale", Places: OnType, Arguments: []Argument{
		{Name: "specpath", Kind: String},
		{Name: "statuspath", Kind: String},
		{Name: "selectorpath", Kind: String, Optional: true},
	}, Example: "+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector"},
	{Name: "kubebuilder:printcolumn", Places: OnType, Arguments: []Argument{
		{Name: "name", Kind: String},
		{Name: "type", Kind: String},
		{Name: "JSONPath", Kind: String},
		{Name: "description", Kind: String, Optional: true},
		{Name: "format", Kind: String, Optional: true},
		{Name: "priority", Kind: Int, Optional: true},
	}, Example: `+kubebuilder:printcolumn:name="Phase",type=string,JSONPath=".status.phase"`},
	{Name: "kubebuilder:resource", Places: OnType, Arguments: []Argument{
		{Name: "path", Kind: String, Optional: true},
		{Name: "shortName", Kind: Strings, Optional: true},
		{Name: "categories", Kind: Strings, Optional: true},
		{Name: "singular", Kind: String, Optional: true},
		{Name: "scope", Kind: String, Optional: true},
	}, Example: "+kubebuilder:resource:path=shoes,shortName=sh,scope=Cluster"},
	{Name: "kubebuilder:storageversion", Places: OnType},
	{Name: "kubebuilder:skipversion", Places: OnType},
	{Name: "kubebuilder:unservedversion", Places: OnType},
	{Name: "kubebuilder:deprecatedversion", Places: OnType, Arguments: []Argument{
		{Name: "warning", Kind: String, Optional: true},
	}, Example: `+kubebuilder:deprecatedversion:warning="use v1"`},
	{Name: "kubebuilder:metadata", Places: OnType, Arguments: []Argument{
		{Name: "annotations", Kind: Strings, Optional: true},
		{Name: "labels", Kind: Strings, Optional: true},
	}, Example: `+kubebuilder:metadata:annotations="example.com/owner=team"`},
	{Name: "kubebuilder:selectablefield", Places: OnType, Arguments: []Argument{
		{Name: "JSONPath", Kind: String},
	}, Example: `+kubebuilder:selectablefield:JSONPath=".spec.size"`},
}

// packages describe packages.
var packages = []*Definition{
	{Name: "groupName", Places: OnPackage, Kind: String, Optional: true, Example: "+groupName=storage.example.com"},
	{Name: "versionName", Places: OnPackage, Kind: String, Example: "+versionName=v1beta1"},
	{Name: validation + "Optional", Places: OnPackage},
	{Name: validation + "Required", Places: OnPackage},
	{Name: "kubebuilder:skip", Places: OnPackage},
}

// programs describe the permissions and the webhooks of programs.
var programs = []*Definition{
	{Name: "kubebuilder:rbac", Places: OnProgram, Arguments: []Argument{
		{Name: "groups", Kind: Strings, Optional: true},
		{Name: "resources", Kind: Strings, Optional: true},
		{Name: "resourceNames", Kind: Strings, Optional: true},
		{Name: "verbs", Kind: Strings},
		{Name: "urls", Kind: Strings, Optional: true},
		{Name: "namespace", Kind: String, Optional: true},
		{Name: "roleName", Kind: String, Optional: true},
	}, Example: "+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch"},
	{Name: "kubebuilder:webhook", Places: OnProgram, Arguments: []Argument{
		{Name: "mutating", Kind: Bool},
		{Name: "failurePolicy", Kind: String},
		{Name: "matchPolicy", Kind: String, Optional: true},
		{Name: "sideEffects", Kind: String, Optional: true},
		{Name: "timeoutSeconds", Kind: Int, Optional: true},
		{Name: "groups", Kind: Strings},
		{Name: "resources", Kind: Strings},
		{Name: "verbs", Kind: Strings},
		{Name: "versions", Kind: Strings},
		{Name: "name", Kind: String},
		{Name: "serviceName", Kind: String, Optional: true},
		{Name: "serviceNamespace", Kind: String, Optional: true},
		{Name: "servicePort", Kind: Int, Optional: true},
		{Name: "path", Kind: String, Optional: true},
		{Name: "url", Kind: String, Optional: true},
		{Name: "webhookVersions", Kind: Strings, Optional: true},
		{Name: "admissionReviewVersions", Kind: Strings},
		{Name: "reinvocationPolicy", Kind: String, Optional: true},
		{Name: "patch", Kind: String, Optional: true},
	}, Example: "+kubebuilder:webhook:path=/validate-example-com-v1-shoe,mutating=false,failurePolicy=fail,sideEffects=None,groups=example.com,resources=shoes,verbs=create;update,versions=v1,name=vshoe.example.com,admissionReviewVersions=v1"},
	{Name: "kubebuilder:webhookconfiguration", Places: OnProgram, Arguments: []Argument{
		{Name: "mutating", Kind: Bool},
		{Name: "name", Kind: String, Optional: true},
	}, Example: "+kubebuilder:webhookconfiguration:mutating=true,name=mutating-webhook-configuration"},
}

// elsewhere are the names of kubebuilder's markers that other generators read.
var elsewhere = []string{
	"kubebuilder:ac", "kubebuilder:doc", "kubebuilder:docs-gen", "kubebuilder:object", "kubebuilder:rbac",
	"kubebuilder:scaffold", "kubebuilder:webhook", "kubebuilder:webhookconfiguration",
}

// byName finds the first definition of a name, and repeats the definition after it.
var byName, repeats = func() (map[string]*Definition, map[*Definition]*Definition) {
	first, after := map[string]*Definition{}, map[*Definition]*Definition{}
	for _, def := range slices.Backward(Definitions) {
		after[def] = first[def.Name]
		first[def.Name] = def
	}
	return first, after
}()

// next returns another definition of the same name.
func (d *Definition) next() *Definition { return repeats[d] }

// repeatable reports whether the marker has a variant for items.
func (d *Definition) repeatable() bool { return slices.Contains(validations, d) }
