package generators

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/model"
)

// suffix is added to the name of a type for that of its apply configuration.
const suffix = "ApplyConfiguration"

// applyUtils are all apply configurations.
type applyUtils struct {
	Internal model.Package
	Packages []*applyPackage
}

// applyPackage is a package of API types with their apply configurations.
type applyPackage struct {
	*model.StructPackage
	// Config is the package of the apply configurations.
	Config  model.Package
	Configs []*applyStruct
}

// APIVersion returns the value of the field apiVersion.
func (p *applyPackage) APIVersion() string {
	if p.Group == "" {
		return p.Version
	}
	return p.Group + "/" + p.Version
}

// applyStruct is an apply configuration.
type applyStruct struct {
	*model.Struct
	Package *applyPackage
	// Config is the name of the apply configuration, Constructor that of its constructor.
	Config, Constructor string
	// Lines are the fields of the apply configuration.
	Lines   []applyLine
	Setters []*applySetter
	Getters []*applyGetter
	// Ensured are embedded apply configurations that are pointers.
	Ensured []applyEnsured
	// Schema is the name of the type's schema; empty if it is not known.
	Schema   string
	Internal model.Package
}

// Is reports whether the apply configuration identifies itself as one: it has a kind.
func (s *applyStruct) Is() bool { return s.Kind != nil || s.Embeds("TypeMeta") }

// Embeds reports whether the struct embeds a type of metadata.
func (s *applyStruct) Embeds(meta string) bool {
	return slices.ContainsFunc(s.Fields, func(f *model.Field) bool { return f.Embedded && isMeta(f.Type, meta) })
}

// Sets reports whether there is a setter of a field.
func (s *applyStruct) Sets(field string) bool {
	return slices.ContainsFunc(s.Setters, func(a *applySetter) bool { return a.Field == field })
}

// Extracts returns the functions that extract subresources.
func (s *applyStruct) Extracts() []applyExtract {
	var list []applyExtract
	for _, sub := range s.Subresources {
		name := model.Identifier(titled(sub))
		if name != "From" {
			list = append(list, applyExtract{name, sub})
		}
	}
	return list
}

// titled returns text with the first letter of each word in upper case and the others in lower case.
func titled(text string) string {
	var b strings.Builder
	start := true
	for _, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if s := string(r); start {
			b.WriteString(strings.ToUpper(s))
		} else {
			b.WriteString(strings.ToLower(s))
		}
		start = !letter
	}
	return b.String()
}

// applyExtract is a function that extracts a subresource.
type applyExtract struct{ Name, Subresource string }

// typePart is a part of a type in generated code: text, or a name in a package.
type typePart struct {
	Text    string
	Package model.Package
	Name    string
}

// typeText is a type in generated code.
type typeText []typePart

// pointer returns the type of pointers to t.
func (t typeText) pointer() typeText { return append(typeText{{Text: "*"}}, t...) }

// width returns the number of characters of the type in a package.
func (t typeText) width(in string) int {
	n := 0
	for _, p := range t {
		n += len(p.Text) + len(p.Name)
		if p.Name != "" && p.Package.Path != in {
			n += len(p.Package.Alias) + 1
		}
	}
	return n
}

// applyLine is a line of a struct, with the spaces that line up its columns.
type applyLine struct {
	// Name is the field's name; empty for an embedded field.
	Name string
	Type typeText
	// AfterName and AfterType are spaces.
	AfterName, AfterType string
	// Tag is the JSON tag.
	Tag string
	// Apart puts a blank line before the line.
	Apart bool
}

// align sets the spaces of lines as gofmt does: a type with several lines stands alone.
func align(lines []applyLine, in string) {
	for start := 0; start < len(lines); {
		end := start + 1
		if !lines[start].Type.tall() {
			for end < len(lines) && !lines[end].Type.tall() {
				end++
			}
		}
		block := lines[start:end]
		if start > 0 {
			block[0].Apart = true
		}
		first := 0
		for _, l := range block {
			if l.Name != "" {
				first = max(first, len(l.Name))
			} else {
				first = max(first, l.Type.width(in))
			}
		}
		for i := 0; i < len(block); {
			if block[i].Name == "" {
				block[i].AfterType = strings.Repeat(" ", first+1-block[i].Type.width(in))
				i++
				continue
			}
			second, j := 0, i
			for ; j < len(block) && block[j].Name != ""; j++ {
				second = max(second, block[j].Type.width(in))
			}
			for ; i < j; i++ {
				block[i].AfterName = strings.Repeat(" ", first+1-len(block[i].Name))
				if block[i].Type.tall() {
					block[i].AfterType = " "
				} else {
					block[i].AfterType = strings.Repeat(" ", second+1-block[i].Type.width(in))
				}
			}
		}
		start = end
	}
}

// dedented returns the type as it is written one level less deep.
func (t typeText) dedented() typeText {
	result := slices.Clone(t)
	for i := range result {
		result[i].Text = strings.TrimPrefix(result[i].Text, "\t")
	}
	return result
}

// tall reports whether the type has several lines.
func (t typeText) tall() bool {
	return slices.ContainsFunc(t, func(p typePart) bool { return strings.Contains(p.Text, "\n") })
}

// applySetter is a With method.
type applySetter struct {
	Config string
	// Field is the field's name, and Target the expression for it.
	Field, Target string
	// Via is the embedded apply configuration that has the method; empty if it is set here.
	Via string
	// Form is how the field is set.
	Form setterForm
	// Type is the type of the parameter, without the dots of a variadic one. Items is the type
	// of a slice that Form adds to, if the field points to one.
	Type, Items typeText
}

// setterForm distinguishes setters.
type setterForm string

// The forms of setters.
const (
	setValue   setterForm = "value"   // the value
	setPointer setterForm = "pointer" // a pointer to the value
	addValues  setterForm = "values"  // adds values to a slice
	addConfigs setterForm = "configs" // adds apply configurations to a slice
	addEntries setterForm = "entries" // adds entries to a map
)

// Param returns the name of the parameter, with dots if it is variadic.
func (s *applySetter) Param() string {
	switch s.Form {
	case addValues, addConfigs:
		return "values ..."
	case addEntries:
		return "entries "
	}
	return "value "
}

// Pass returns the argument for a method with the same parameter.
func (s *applySetter) Pass() string {
	return strings.Replace(strings.TrimSuffix(s.Param(), " "), " ", "", 1)
}

// applyGetter is a Get method.
type applyGetter struct {
	Config, Field string
	// Value is the expression for what it returns.
	Value string
}

// applyEnsured is an embedded apply configuration or type that is a pointer.
type applyEnsured struct {
	Config string
	// Name is its type's name, Field that of the field.
	Name, Field string
	Type        typeText
}
