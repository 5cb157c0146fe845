package emit

import (
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/listwatch/listwatch/generators/model"
)

// Flavour is the runtime that generated code uses.
type Flavour string

// The flavours.
const (
	// Listwatch is the runtime of this module.
	Listwatch Flavour = "listwatch"
	// ClientGo is k8s.io/client-go.
	ClientGo Flavour = "client-go"
)

// Flavours lists the flavours, the default first.
var Flavours = []Flavour{Listwatch, ClientGo}

// imported is a package that templates name.
type imported struct{ path, alias string }

// runtimes contains the packages of each flavour's runtime, by the names of the template functions
// for them.
var runtimes = map[Flavour]map[string]imported{
	Listwatch: {
		"apply":         {"github.com/listwatch/listwatch/runtime/apply", "apply"},
		"cache":         {"github.com/listwatch/listwatch/runtime/cache", "cache"},
		"discovery":     {"github.com/listwatch/listwatch/runtime/discovery", "discovery"},
		"fakediscovery": {"github.com/listwatch/listwatch/runtime/discovery/fake", "fakediscovery"},
		"fakegentype":   {"github.com/listwatch/listwatch/runtime/gentype/fake", "fakegentype"},
		"gentype":       {"github.com/listwatch/listwatch/runtime/gentype", "gentype"},
		"informers":     {"github.com/listwatch/listwatch/runtime/informers", "informers"},
		"listers":       {"github.com/listwatch/listwatch/runtime/listers", "listers"},
		"listwatch":     {"github.com/listwatch/listwatch/runtime/version", "listwatch"},
		"schemas":       {"github.com/listwatch/listwatch/runtime/apply/schemas", "schemas"},
		"rest":          {"github.com/listwatch/listwatch/runtime/rest", "rest"},
		"testing":       {"github.com/listwatch/listwatch/runtime/testing", "testing"},
	},
	ClientGo: {
		"apply":         {"k8s.io/client-go/util/apply", "apply"},
		"cache":         {"k8s.io/client-go/tools/cache", "cache"},
		"discovery":     {"k8s.io/client-go/discovery", "discovery"},
		"fakediscovery": {"k8s.io/client-go/discovery/fake", "fakediscovery"},
		"fakegentype":   {"k8s.io/client-go/gentype", "gentype"},
		"flowcontrol":   {"k8s.io/client-go/util/flowcontrol", "flowcontrol"},
		"gentype":       {"k8s.io/client-go/gentype", "gentype"},
		"listers":       {"k8s.io/client-go/listers", "listers"},
		"rest":          {"k8s.io/client-go/rest", "rest"},
		"testing":       {"k8s.io/client-go/testing", "testing"},
	},
}

// common contains the packages that both flavours import, by name.
var common = map[string]string{
	"context":       "context",
	"fmt":           "fmt",
	"http":          "net/http",
	"json":          "encoding/json",
	"labels":        "k8s.io/apimachinery/pkg/labels",
	"managedfields": "k8s.io/apimachinery/pkg/util/managedfields",
	"metav1":        "k8s.io/apimachinery/pkg/apis/meta/v1",
	"reflect":       "reflect",
	"runtime":       "k8s.io/apimachinery/pkg/runtime",
	"schema":        "k8s.io/apimachinery/pkg/runtime/schema",
	"serializer":    "k8s.io/apimachinery/pkg/runtime/serializer",
	"sync":          "sync",
	"time":          "time",
	"typed":         "sigs.k8s.io/structured-merge-diff/v6/typed",
	"types":         "k8s.io/apimachinery/pkg/types",
	"utilruntime":   "k8s.io/apimachinery/pkg/util/runtime",
	"wait":          "k8s.io/apimachinery/pkg/util/wait",
	"watch":         "k8s.io/apimachinery/pkg/watch",
}

// imports returns every package that templates name directly, by the name of the function.
func (f Flavour) imports() map[string]imported {
	all := map[string]imported{}
	for name, path := range common {
		all[name] = imported{path, name}
	}
	maps.Copy(all, runtimes[f])
	return all
}

// empty returns the empty interface as the code of the runtime writes it.
func (f Flavour) empty() string {
	if f == ClientGo {
		return "interface{}"
	}
	return "any"
}

// Imports returns the names under which generated code imports packages that do not depend on the
// input, by path.
func (f Flavour) Imports() map[string]string {
	names := map[string]string{}
	for _, p := range f.imports() {
		names[p.path] = p.alias
	}
	return names
}

// FactoryMethods returns the members that informer factories have in this flavour only.
func (f Flavour) FactoryMethods() []string {
	if f == Listwatch {
		return []string{"Acquire", "Factory"}
	}
	return nil
}

// Valid reports whether f is one of [Flavours].
func (f Flavour) Valid() bool {
	_, ok := runtimes[f]
	return ok
}

// A template puts a package before a name as
//
//	open path sep alias shut
//
// with characters that Go source cannot contain.
const (
	open = "\x01"
	sep  = "\x02"
	shut = "\x03"
)

func mark(path, alias string) string { return open + path + sep + alias + shut }

// typeText returns a type as a template prints it.
func typeText(t *model.Type) string {
	switch t.Form {
	case model.Pointer:
		return "*" + typeText(t.Elem)
	case model.Slice:
		return "[]" + typeText(t.Elem)
	case model.Map:
		return "map[" + typeText(t.Key) + "]" + typeText(t.Elem)
	case model.Verbatim:
		var text strings.Builder
		for _, part := range t.Parts {
			if part.Type != nil {
				text.WriteString(typeText(part.Type))
			} else {
				text.WriteString(part.Text)
			}
		}
		return text.String()
	}
	if t.Ref.Package.Path == "" {
		return t.Ref.Name
	}
	return mark(t.Ref.Package.Path, t.Ref.Package.Alias) + "." + t.Ref.Name
}

// piece is a part of a template's output: raw text, or a qualified name.
type piece struct {
	raw               string
	path, alias, name string
}

// pieces splits the output of a template into pieces. The name of a package must be followed by a
// dot and an identifier.
func pieces(text string) ([]piece, error) {
	var list []piece
	for {
		raw, rest, found := strings.Cut(text, open)
		if raw != "" {
			list = append(list, piece{raw: raw})
		}
		if !found {
			return list, nil
		}
		pkg, after, _ := strings.Cut(rest, shut)
		path, alias, _ := strings.Cut(pkg, sep)
		name := identifier.FindString(after)
		if name == "" {
			return nil, fmt.Errorf("no name follows the package %s", path)
		}
		list = append(list, piece{path: path, alias: alias, name: name[1:]})
		text = after[len(name):]
	}
}

// identifier matches the dot and the name after a package.
var identifier = regexp.MustCompile(`^\.\w+`)
