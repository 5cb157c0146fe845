package migration

import "strings"

// Standing is the status of a package of client-go that this module does not replace.
type Standing string

// The standings of packages that have no pair.
const (
	// Shared packages depend on no other package of client-go, except for feature gates, which both read from the same
	// environment variables, and no type of theirs is part of another package's API: code that uses this module goes on
	// importing them.
	Shared Standing = "go on importing it"
	// Planned packages will be replaced. Until then, code that needs them stays on client-go.
	Planned Standing = "comes later"
	// Absent packages will not be replaced.
	Absent Standing = "has no replacement"
)

// Other is a package of client-go, or all packages below a path, without a pair.
type Other struct {
	// Package is a path below k8s.io/client-go. At its end, /... stands for any path below it,
	// including none, except those of pairs, trees and other rows.
	Package  string
	Standing Standing
	// Advice says what to do about an import. It starts with a lowercase letter and has no
	// final period. It is empty for shared packages.
	Advice string
}

// covers reports whether the row is about a package, and how specific it is.
func (o Other) covers(path string) (specificity int, ok bool) {
	below, isTree := strings.CutSuffix(o.Package, "/...")
	ok = path == below || isTree && strings.HasPrefix(path, below+"/")
	specificity = 2 * len(below)
	if !isTree {
		specificity++
	}
	return specificity, ok
}

// FindOther returns the row of [Others] about a package, given by its path below
// k8s.io/client-go: the most specific one.
func FindOther(path string) (Other, bool) {
	var found Other
	most := -1
	for _, o := range Others {
		if specificity, ok := o.covers(path); ok && specificity > most {
			found, most = o, specificity
		}
	}
	return found, most >= 0
}

const (
	// convert is the advice for packages that take or return client-go's types.
	convert = "keep importing it, and convert configs and informers with the module clientgo"
	// wait is the advice for packages that take or return types which pairs replace.
	wait = "keep the files that use it on client-go"
)

// Others are all packages of client-go without a pair.
var Others = []Other{
	// The built-in API, and what is made for it.
	{"util/certificate/...", Planned, convert},

	// Other clients.
	{"tools/auth", Absent, "its file format preceded kubeconfigs; write a kubeconfig with runtime/clientcmd"},
	{"scale/scheme/...", Absent, "it has the internal types of package scale"},
	{"openapi3/...", Planned, convert},
	{"features/testing", Planned, wait},

	// What depends on nothing that is replaced.
	{"tools/cache/synctrack", Shared, ""},
	{"tools/pager", Shared, ""},
	{"util/cert", Shared, ""},
	{"util/connrotation", Shared, ""},
	{"util/csaupgrade", Shared, ""},
	{"util/homedir", Shared, ""},
	{"util/jsonpath", Shared, ""},
	{"util/keyutil", Shared, ""},
	{"util/testing", Shared, ""},
	{"util/watchlist", Shared, ""},
	{"pkg/version", Shared, ""},
	{"third_party/...", Shared, ""},

	// Internals of client-go.
	{"util/consistencydetector", Absent, "it checks client-go's own lists; remove the call"},
	{"examples/...", Absent, "they are programs"},
}
