package compatibility

import (
	_ "embed"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"text/template"

	"github.com/listwatch/listwatch/internal/migration"
)

//go:embed compatibility.md.tmpl
var documentText string

var document = template.Must(template.New("compatibility.md").
	Option("missingkey=error").
	Funcs(template.FuncMap{"code": code, "codes": codes}).
	Parse(documentText))

// Document returns the page about the comparison with a version of client-go. Decisions about unexported symbols alone are not
// in it: they are for comparing the methods of values that exported functions return.
func Document(judged []Judged, version string) (string, error) {
	judged = slices.Clone(judged)
	for i := range judged {
		judged[i].Decisions = slices.DeleteFunc(slices.Clone(judged[i].Decisions), func(d migration.Decision) bool {
			return !slices.ContainsFunc(d.Names(), isExported)
		})
	}
	data := struct {
		Version          string
		ClientGo, Module string
		Root             string
		Judged           []Judged
		Others           []others
	}{
		Version: version, ClientGo: migration.ClientGo, Module: migration.Module, Root: strings.TrimSuffix(migration.Module, "/"),
		Judged: judged, Others: groupOthers(migration.Others),
	}
	var text strings.Builder
	if err := document.Execute(&text, data); err != nil {
		return "", err
	}
	return text.String(), nil
}

// others are packages without a pair that share a row.
type others struct {
	Packages []string
	Standing migration.Standing
	Advice   string
}

// groupOthers joins rows that differ in their package only.
func groupOthers(rows []migration.Other) []others {
	var all []others
	for _, row := range rows {
		i := slices.IndexFunc(all, func(o others) bool { return o.Standing == row.Standing && o.Advice == row.Advice })
		if i < 0 {
			i = len(all)
			all = append(all, others{Standing: row.Standing, Advice: row.Advice})
		}
		all[i].Packages = append(all[i].Packages, row.Package)
	}
	return all
}

// Kept returns all symbols of pairs that are kept, one per line. Those of trees are too many.
func Kept(comparisons []Comparison) string {
	var lines []string
	for _, c := range comparisons {
		if strings.HasSuffix(c.Theirs, "/...") {
			continue
		}
		for _, s := range c.Kept {
			lines = append(lines, fmt.Sprintf("%s %s: %s\n", c.Theirs, s.Name, s.Ours))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// Gone returns the number of symbols that are left out, including members of types.
func (j Judged) Gone() int { return len(j.LeftOut) + len(j.With) }

// KeptInUse returns the number of symbols in use that are kept.
func (j Judged) KeptInUse() int { return j.Used - len(j.Missed) }

// Title returns the heading of the package, or of a tree.
func (j Judged) Title() string {
	if top, ok := strings.CutSuffix(j.Theirs, "/..."); ok {
		return "Packages below " + top
	}
	return j.Theirs
}

// Anchor returns the anchor of the heading in the document.
func (j Judged) Anchor() string {
	return strings.NewReplacer("/", "", " ", "-").Replace(strings.ToLower(j.Title()))
}

// Renamed reports whether code has to name the package differently.
func (j Judged) Renamed() bool {
	return slices.ContainsFunc(j.Changed, func(s Symbol) bool { return s.Name == "package" })
}

// AddedNames returns the names that client-go does not have, without the members of added
// types.
func (j Judged) AddedNames() []string {
	added := set(j.Added)
	return slices.DeleteFunc(names(j.Added), func(name string) bool {
		owner, _, isMember := strings.Cut(name, ".")
		return isMember && added[owner]
	})
}

func names(symbols []Symbol) []string {
	var all []string
	for _, s := range symbols {
		all = append(all, s.Name)
	}
	return all
}

func code(text string) string { return "`" + text + "`" }

// codes formats names as a list.
func codes(names []string) string {
	var all []string
	for _, name := range names {
		all = append(all, code(name))
	}
	return strings.Join(all, ", ")
}

// isExported reports whether a symbol, which can be a method and have stars, is exported.
func isExported(symbol string) bool {
	name, _, _ := strings.Cut(symbol, ".")
	return strings.HasPrefix(name, "*") || token.IsExported(name)
}
