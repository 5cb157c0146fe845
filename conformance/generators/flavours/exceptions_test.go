package flavours_test

import (
	"regexp"
	"strings"

	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
)

// exception is an intentional difference.
type exception struct {
	// input is the name of the case; empty for all.
	input string
	// symbol matches the difference's symbol, without its package.
	symbol *regexp.Regexp
	// reason is the reason for it.
	reason string
	// redeclared restricts the exception to symbols that both flavours have, declared in
	// different ways.
	redeclared bool
	// added restricts it to symbols that only our flavour has.
	added bool
}

func (e exception) covers(input string, d goapi.Difference) bool {
	return (e.input == "" || e.input == input) && e.symbol.MatchString(d.Symbol) &&
		(!e.redeclared || !strings.Contains(d.Text, "absent")) &&
		(!e.added || strings.HasPrefix(d.Text, "client-go absent "))
}

// exceptions are all intentional differences.
var exceptions = []exception{
	{
		input:  "view",
		symbol: regexp.MustCompile(``),
		added:  true,
		reason: "views are of our flavour alone",
	},
	{
		symbol: regexp.MustCompile(`^Clientset\.OpenAPISchema(WithContext)?$`),
		reason: "discovery leaves it out: it alone would make every clientset link the OpenAPI models",
	},
	{
		symbol: regexp.MustCompile(`^(SharedInformerFactory\.Acquire|WithNamespaces|WithShards|WithTypeOptions)$`),
		reason: "ours has more: informers that stop when they are released, several namespaces, options of types",
	},
	{
		symbol: regexp.MustCompile(`^Scope$`),
		reason: "ours has it in internalinterfaces: what groups and versions pass on to their informers",
	},
	{
		symbol: regexp.MustCompile(`^NewClientset$`),
		reason: "ours has it without apply configurations, too",
	},
	{
		symbol: regexp.MustCompile(`^InformerOptions(\.|$)`),
		reason: "ours is an alias of runtime/informers.Options, which has the same fields and more",
	},
	{
		symbol: regexp.MustCompile(`^sharedInformerFactory(\.|$)`),
		reason: "it is unexported, and ours has its methods from runtime/informers.Factory; its API is SharedInformerFactory",
	},
	{
		symbol:     regexp.MustCompile(`^(\w+Interface|\w+Lister|SharedInformerFactory)$`),
		redeclared: true,
		reason:     "ours embeds interfaces of the runtime; their methods are compared one by one",
	},
	{
		symbol:     regexp.MustCompile(`^SharedInformerOption$`),
		redeclared: true,
		reason:     "ours is an alias of runtime/informers.FactoryOption; neither can be made but by the functions With...",
	},
	{
		symbol:     regexp.MustCompile(`^(NewInformerFunc|SharedInformerFactory\.InformerFor)$`),
		redeclared: true,
		reason:     "ours is an alias of the same function type, so that the runtime can name it",
	},
	{input: "embedded", symbol: updateStatus, reason: embeddedStatus},
	{input: "embedded-status", symbol: updateStatus, reason: embeddedStatus},
	{input: "generics", symbol: updateStatus, reason: embeddedStatus},
	{
		input: "kubebuilder", symbol: regexp.MustCompile(`^(Interface|Clientset|(Fake)?(Api|Observatory)V1\w*)(\.|$)|^New(For|Simple|Clientset|\w*Fake)|^New$|^SharedInformerFactory\.(Api|Observatory)$`),
		reason: "the group's name comes from +groupName in groupversion_info.go, where kubebuilder writes it; client-gen reads only doc.go and derives a name from the path",
	},
	{
		input: "kubebuilder", symbol: regexp.MustCompile(`^StarsGetter\.Stars$|^Star(Namespace)?Lister|^New\w*StarInformer`),
		reason: "+kubebuilder:resource:scope=Cluster makes a kind cluster-scoped; client-gen does not know the marker",
	},
}

var updateStatus = regexp.MustCompile(`Interface\.UpdateStatus$`)

const embeddedStatus = "a Status promoted from an embedded struct is a status; client-gen considers only the struct's own fields"
