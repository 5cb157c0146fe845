package model

import (
	"go/token"
	gotypes "go/types"
	"path"
	"slices"
	"strings"

	"k8s.io/gengo/v2/namer"
	"k8s.io/gengo/v2/types"
)

// Names are the names in generated code for a kind.
//
// Names do not depend on the order of first use: an edit of the input changes only the lines that it concerns.
//
//   - Packages of API types are imported as group and version (appsv1), the packages generated for them as
//     appsv1client, appsv1fake, appsv1listers, appsv1informers, and apply configurations as appsv1ac.
//   - A name of a kind that is the import name of another package ([Reserved]), a variable of generated functions,
//     a keyword or a predeclared identifier gets a suffix: the kind Type has the client typesClient, because types is
//     imported.
//   - A group or version with the name of a method of every factory or clientset gets a suffix: StartGroup.
//   - The file of a kind gets a suffix if its name has a meaning for the go command or is taken: fake_test_kind.go.
//   - Groups that differ only after their first label (networking.a.io, networking.b.io) get as many labels in their
//     Go names as distinguish them: NetworkingA.
type Names struct {
	// Public and Private are the kind's name with its first letter in upper and
	// lower case: Foo, foo.
	Public, Private string
	// Plural and PrivatePlural are the plurals of these: Foos, foos.
	Plural, PrivatePlural string
	// Client is the unexported type of the client.
	Client string
	// Param is the parameter for an object of the kind.
	Param string
	// ExpansionFile is the file for hand-written methods.
	ExpansionFile string
}

// Plurals forms plurals like gengo.
type Plurals struct {
	public, private, lower namer.Namer
}

// NewPlurals returns English plurals, except for the exceptions: kind to plural.
func NewPlurals(exceptions map[string]string) *Plurals {
	return &Plurals{
		public:  namer.NewPublicPluralNamer(exceptions),
		private: namer.NewPrivatePluralNamer(exceptions),
		lower:   namer.NewAllLowercasePluralNamer(exceptions),
	}
}

// Resource returns the resource name of a kind in paths.
func (p *Plurals) Resource(kind string) string { return p.lower.Name(named(kind)) }

// KindNames returns the names for a kind.
func (p *Plurals) KindNames(kind string) Names {
	n := Names{
		Public:        namer.IC(kind),
		Private:       Private(kind),
		Plural:        p.public.Name(named(kind)),
		PrivatePlural: p.private.Name(named(kind)),
		ExpansionFile: strings.ToLower(kind) + "_expansion.go",
	}
	n.Client = free(n.PrivatePlural, "Client", clientLocals)
	if strings.HasPrefix(n.Client, "new") {
		n.Client += "Client" // newShoes is the constructor of the client for the kind Shoe
	}
	n.Param = ParamName(kind)
	return n
}

func named(kind string) *types.Type { return &types.Type{Name: types.Name{Name: kind}} }

// Private returns a kind's name with its first letter in lower case. Kinds are sorted by it.
func Private(kind string) string { return namer.IL(kind) }

// IsExported reports whether name can be an exported name in Go.
func IsExported(name string) bool { return token.IsIdentifier(name) && token.IsExported(name) }

// Title returns a name with its first letter in upper case.
func Title(name string) string { return namer.IC(name) }

// ParamName returns the name of a parameter for an object of a kind.
func ParamName(kind string) string { return free(Private(kind), "Object", locals) }

// clientLocals are the variables of the functions that use a kind's client.
var clientLocals = []string{
	"c", "ctx", "data", "emptyResult", "err", "fake", "listOpts", "name", "namespace", "obj",
	"options", "opts", "patchOpts", "pt", "request", "result", "subresources", "timeout",
}

// locals are the variables of generated functions, and the unexported names in generated
// packages that are all lower case, like import names.
var locals = append(slices.Clone(clientLocals),
	"a", "action", "checkers", "client", "codecs", "config", "cs", "dst",
	"f", "factory", "g", "group", "gv", "h", "indexer", "indexers", "informer", "items", "list",
	"namespaces", "none", "object", "objects", "ok", "option",
	"period", "resource", "ret", "s", "selector", "src", "started",
	"synced", "tracker", "transform", "tweak", "typed", "v", "version", "watcher",
)

// Reserved returns the names of the packages that generated code can import for any input. No
// other name that depends on the input is one of them.
func Reserved() []string { return slices.Clone(reserved) }

// reserved is for [Reserved] and [free]. Package emit checks that it is complete.
var reserved = []string{
	"apply", "cache", "clientset", "context", "discovery", "fakediscovery", "fakegentype",
	"flowcontrol", "fmt", "gentype", "http", "informers", "internalinterfaces", "json", "labels",
	"listers", "listwatch", "managedfields", "metav1", "reflect", "rest", "runtime", "schema", "schemas", "scheme", "serializer", "sync", "testing", "time", "typed", "types",
	"utilruntime", "wait", "watch",
}

// free returns an unexported name, with a suffix if the language, an import or one of the
// variables already uses it.
func free(name, suffix string, variables []string) string {
	if token.IsKeyword(name) || gotypes.Universe.Lookup(name) != nil || name == "init" ||
		slices.Contains(reserved, name) || slices.Contains(variables, name) {
		return name + suffix
	}
	return name
}

// VersionGoName returns a version's name in Go: V1beta1; empty for the internal
// version.
func (v *Version) VersionGoName() string { return namer.IC(v.Name) }

// GoName returns the name of a group and version in Go: AppsV1.
func (v *Version) GoName() string { return v.GroupGoName + v.VersionGoName() }

// clientsetMembers are the methods and embedded fields of every clientset and fake clientset.
var clientsetMembers = []string{
	"Actions", "AddProxyReactor", "AddReactor", "AddWatchReactor", "ClearActions", "Discovery", "DiscoveryClient",
	"Fake", "Invokes", "InvokesProxy", "InvokesWatch", "IsWatchListSemanticsUnSupported", "PrependProxyReactor",
	"PrependReactor", "PrependWatchReactor", "Tracker",
}

// Accessor returns the name of the clientset's method for this group and version: its
// [Version.GoName], with a suffix if every clientset has a member of that name.
func (v *Version) Accessor() string {
	if name := v.GoName(); !slices.Contains(clientsetMembers, name) {
		return name
	}
	return v.GoName() + "Group"
}

// factoryMethods are the methods that every informer factory has.
var factoryMethods = []string{
	"ForResource", "InformerFor", "InformerName", "Shutdown", "Start", "StartWithContext",
	"WaitForCacheSync", "WaitForCacheSyncWithContext",
}

// FactoryMethod returns the name of a factory's method for a group: the group's name in Go,
// with a suffix if every factory, or more, has a member of that name.
func FactoryMethod(groupGoName string, more ...string) string {
	if slices.Contains(factoryMethods, groupGoName) || slices.Contains(more, groupGoName) {
		return groupGoName + "Group"
	}
	return groupGoName
}

// Field returns the name of a field for this group and version: appsV1.
func (v *Version) Field() string {
	name := namer.IL(v.GroupGoName) + v.VersionGoName()
	if token.IsKeyword(name) {
		return name + "Client"
	}
	return name
}

// NonEmptyName returns the version's name, and "internalVersion" for the
// internal version.
func (v *Version) NonEmptyName() string {
	if v.Internal() {
		return "internalVersion"
	}
	return v.Name
}

// Title returns the group and version as in the API: apps/v1.
func (v *Version) Title() string { return v.Group.NonEmptyName() + "/" + v.NonEmptyName() }

// Dir returns the directory name of the version's packages below the group's.
func (v *Version) Dir() string { return strings.ToLower(v.NonEmptyName()) }

// PackageName returns the name of the packages generated for this version.
func (v *Version) PackageName() string { return PackageName(v.Dir(), "version") }

// InstallPath returns the import path of the package that registers all versions of a
// group's types with their conversions.
func (v *Version) InstallPath() string {
	if v.Internal() {
		return path.Join(v.Types.Path, "install")
	}
	return path.Join(path.Dir(v.Types.Path), "install")
}

// PackageName returns name as a package name, with a suffix if it is not valid for an
// imported package.
func PackageName(name, suffix string) string {
	name = Identifier(name)
	if token.IsKeyword(name) || name == "main" || name == "_" {
		return name + suffix
	}
	return name
}

// NonEmptyName returns the group's name, and "core" for the core group.
func (g *Group) NonEmptyName() string {
	if g.Name == "" {
		return "core"
	}
	return g.Name
}

// PackageName returns the name of the packages generated for this group.
func (g *Group) PackageName() string {
	first, _, _ := strings.Cut(g.Dir, ".")
	return PackageName(first, "group")
}

// Identifier turns a name into a Go identifier by removing invalid characters.
func Identifier(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, name)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "x" + name
	}
	return name
}

// GroupGoName returns the Go name of a group: its first labels, in CamelCase without hyphens.
func GroupGoName(group string, labels int) string {
	parts := strings.Split(group, ".")
	var b strings.Builder
	for i, label := range parts[:min(labels, len(parts))] {
		for word := range strings.SplitSeq(label, "-") {
			if i == 0 && b.Len() == 0 {
				word = strings.TrimLeft(word, "0123456789")
			}
			b.WriteString(namer.IC(word))
		}
	}
	return b.String()
}

// TypesAlias returns the import name of a version's types: appsv1.
func (v *Version) TypesAlias() string {
	alias := strings.ToLower(v.GroupGoName + v.NonEmptyName())
	return free(Identifier(alias), "types", locals)
}

// ForeignAlias returns the import name of a package of types that is not part of the input.
func ForeignAlias(importPath string) string {
	dir, version := path.Split(importPath)
	return free(Identifier(strings.ToLower(path.Base(dir)))+Identifier(strings.ToLower(version)), "types", locals)
}

// FileName returns the name of the Go file for a kind: prefix, then its name in lower case.
// It adds a suffix if the name is taken or its ending has a meaning for the go command
// (_test.go, _linux.go).
func FileName(prefix, kind string, taken ...string) string {
	name := prefix + strings.ToLower(kind)
	if slices.Contains(taken, name+".go") || strings.Contains(name, "_") && meansSomething(name[strings.LastIndexByte(name, '_')+1:]) {
		name += "_kind"
	}
	return name + ".go"
}

// meansSomething reports whether a file named "x_"+ending+".go" is excluded from some
// builds: see "go help buildconstraint".
func meansSomething(ending string) bool {
	return ending == "test" || slices.Contains(systems, ending) || slices.Contains(architectures, ending)
}

// The operating systems and architectures of "go tool dist list", and those that the go command
// reserves in addition.
var (
	systems = []string{
		"aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux",
		"nacl", "netbsd", "openbsd", "plan9", "solaris", "wasip1", "windows", "zos",
	}
	architectures = []string{
		"386", "amd64", "amd64p32", "arm", "arm64", "arm64be", "armbe", "loong64", "mips", "mips64",
		"mips64le", "mips64p32", "mips64p32le", "mipsle", "ppc", "ppc64", "ppc64le", "riscv",
		"riscv64", "s390", "s390x", "sparc", "sparc64", "wasm",
	}
)
