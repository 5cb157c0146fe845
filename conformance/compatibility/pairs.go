package compatibility

// Import path prefixes of the two sides.
const (
	clientGo = "k8s.io/client-go/"
	module   = "github.com/listwatch/listwatch/"
)

// Pair is a package of client-go with the packages that replace it.
type Pair struct {
	// Theirs is the package's path below k8s.io/client-go.
	Theirs string
	// Ours are paths below this module. The first has the package's name; the others
	// contain symbols that were moved out of it.
	Ours []string
}

func (p Pair) theirPath() string { return clientGo + p.Theirs }

func (p Pair) ourPaths() []string {
	var paths []string
	for _, path := range p.Ours {
		paths = append(paths, module+path)
	}
	return paths
}

// Pairs are all packages of client-go that the runtime replaces, or will replace.
var Pairs = []Pair{
	{"rest", []string{"runtime/rest"}},
	{"rest/fake", []string{"runtime/rest/fake"}},
	{"rest/watch", []string{"runtime/watch"}},
	{"transport", []string{"runtime/transport"}},
	{"gentype", []string{"runtime/gentype", "runtime/gentype/fake"}},
	{"discovery", []string{"runtime/discovery"}},
	{"discovery/fake", []string{"runtime/discovery/fake"}},
	{"testing", []string{"runtime/testing"}},
	{"tools/clientcmd/api", []string{"runtime/clientcmd/api"}},
	{"tools/metrics", []string{"runtime/metrics"}},
	{"util/apply", []string{"runtime/apply"}},
	{"util/flowcontrol", []string{"runtime/flowcontrol"}},
	{"util/retry", []string{"runtime/retry"}},
	{"tools/cache", []string{"runtime/cache"}},
	{"tools/cache/testing", []string{"runtime/cache/testing"}},
	{"features", []string{"runtime/features"}},
	{"listers", []string{"runtime/listers"}},
	{"util/workqueue", []string{"runtime/workqueue"}},
}
