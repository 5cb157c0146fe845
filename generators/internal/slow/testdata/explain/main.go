// Explain prints the slow fields of the exported structs of packages, for tests that compare with codec.Explain. The
// arguments are patterns of packages; standard output is one JSON object.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/internal/slow"
)

// result is the output.
type result struct {
	Types []explained
	// Fields is the number of fields of the kinds.
	Fields int
	// Unread are types of fields of kinds that could not be read.
	Unread []string
}

// explained is a struct.
type explained struct {
	Package, Name string
	Kind          bool
	Slow          []field
}

// field is a slow field.
type field struct {
	Path, Name, Reason, Package string
	Pos                         string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(patterns []string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	var diags diag.List
	packages, err := load.New(context.Background(), load.Config{Dir: dir, Ahead: resolve.WellKnown, Diags: &diags}).Load(patterns...)
	if err != nil {
		return err
	}
	resolve.Ahead(packages)
	resolver := resolve.New()
	var out result
	var kinds []*resolve.Type
	for _, p := range packages {
		p.Files(func(f *load.File) bool {
			for _, decl := range f.Types() {
				t := resolver.Decl(decl)
				if t.Kind() != resolve.Struct || t.Decl() != decl || t.Generic() {
					continue
				}
				e := explained{Package: p.Path, Name: t.Name(), Kind: isKind(t)}
				for _, s := range slow.Explain(t, nil) {
					found := field{Path: s.Path, Name: s.Name, Reason: s.Why, Pos: s.Pos.String()}
					if s.Package != nil {
						found.Package = s.Package.Path
					}
					e.Slow = append(e.Slow, found)
				}
				out.Types = append(out.Types, e)
				if e.Kind {
					kinds = append(kinds, t)
				}
			}
			return true
		})
	}
	out.Fields = slow.Count(kinds)
	unread, seen := map[string]bool{}, map[*resolve.Type]bool{}
	for _, t := range kinds {
		findUnread(t, seen, unread)
	}
	out.Unread = slices.Sorted(maps.Keys(unread))
	if err := diags.Err(dir); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// isKind reports whether a struct has the metadata of objects.
func isKind(t *resolve.Type) bool {
	meta, object := t.Field("TypeMeta"), t.Field("ObjectMeta")
	const metav1 = "k8s.io/apimachinery/pkg/apis/meta/v1"
	return meta != nil && object != nil && meta.Type.Is(metav1, "TypeMeta") && object.Type.Is(metav1, "ObjectMeta") && object.Tag != ""
}

// findUnread adds the types that t consists of and that could not be read.
func findUnread(t *resolve.Type, seen map[*resolve.Type]bool, unread map[string]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if t.Kind() == resolve.Unknown {
		unread[fmt.Sprintf("%s: %v", t, t.Err())] = true
	}
	for _, f := range t.Fields() {
		findUnread(f.Type, seen, unread)
	}
	if e := t.Elem(); e != nil {
		findUnread(e, seen, unread)
	}
}
