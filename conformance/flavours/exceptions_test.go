package flavours_test

import (
	"regexp"

	"github.com/listwatch/listwatch/conformance/identity/goapi"
)

// exception is a difference that is meant to be.
type exception struct {
	// input is the name of the case; empty for all.
	input string
	// symbol matches the difference's symbol, without its package.
	symbol *regexp.Regexp
	// reason says why.
	reason string
}

func (e exception) covers(input string, d goapi.Difference) bool {
	return (e.input == "" || e.input == input) && e.symbol.MatchString(d.Symbol)
}

// exceptions are all that there are.
var exceptions = []exception{
	{
		"", regexp.MustCompile(`^Clientset\.OpenAPI(Schema|V3)(WithContext)?$`),
		"discovery leaves OpenAPI out: it alone would make every clientset link the OpenAPI models",
	},
	{
		"", regexp.MustCompile(`^(SharedInformerFactory\.Acquire|WithNamespaces|WithTypeOptions)$`),
		"ours has more: informers that stop when they are released, several namespaces, options of types",
	},
	{
		"", regexp.MustCompile(`^NewClientset$`),
		"ours has it without apply configurations, too",
	},
	{
		"", regexp.MustCompile(`^InformerOptions(\.|$)`),
		"ours is an alias of runtime/informers.Options, which has the same fields and more",
	},
	{
		"", regexp.MustCompile(`^sharedInformerFactory(\.|$)`),
		"it has no exported name, and ours has its methods from runtime/informers.Factory; what others see of it is SharedInformerFactory",
	},
	{"embedded", updateStatus, embeddedStatus},
	{"embedded-status", updateStatus, embeddedStatus},
	{"generics", updateStatus, embeddedStatus},
	{
		"kubebuilder", regexp.MustCompile(`^(Interface|Clientset|(Fake)?(Api|Observatory)V1\w*)(\.|$)|^New(For|Simple|Clientset|\w*Fake)|^New$|^SharedInformerFactory\.(Api|Observatory)$`),
		"the group's name comes from +groupName in groupversion_info.go, where kubebuilder writes it; client-gen reads doc.go only and makes a name of the path",
	},
	{
		"kubebuilder", regexp.MustCompile(`^StarsGetter\.Stars$|^Star(Namespace)?Lister|^New\w*StarInformer`),
		"+kubebuilder:resource:scope=Cluster makes a kind that has no namespaces; client-gen does not know the marker",
	},
}

var updateStatus = regexp.MustCompile(`Interface\.UpdateStatus$`)

const embeddedStatus = "a Status that comes from an embedded struct is a status; client-gen looks at the struct's own fields only"
