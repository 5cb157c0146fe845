package kubemarker

import (
	"cmp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/marker"
)

// suggestArgument returns advice for an unknown argument.
func suggestArgument(name string, args []Argument) string {
	var names []string
	for _, a := range args {
		names = append(names, a.Name)
	}
	if best := marker.Nearest(name, names); best != "" {
		return "; did you mean " + best + "?"
	}
	return "; want one of " + strings.Join(names, ", ")
}

// Correction replaces the start of a marker by what it was probably meant to be. It is empty if that is not known.
type Correction struct{ Old, New string }

// Unknown returns a message about a marker that has no definition at a place, and "" if the marker is
// none of this package's business.
func Unknown(text string, place Place) (string, Correction) {
	full, parent, _ := split(text)
	if other, _ := Lookup(text, OnPackage|both); other != nil {
		if !strings.HasPrefix(other.Name, "kubebuilder:") && place == OnPackage {
			return "", Correction{} // in a comment about something else
		}
		return "+" + written(full, parent, other) + " has no effect " + place.on() + "; it describes " + other.Places.many(), Correction{}
	}
	if !strings.HasPrefix(full, "kubebuilder:") {
		if meant := sameLetters(full); meant != "" && place != OnPackage {
			return "unknown marker +" + full + "; did you mean +" + meant + "?", Correction{"+" + full, "+" + meant}
		}
		return "", Correction{}
	}
	for _, name := range elsewhere {
		if full == name || strings.HasPrefix(full, name+":") {
			return "", Correction{}
		}
	}
	advice := "; remove it, or see gen-crd --help for the known ones"
	c := suggest(text, full, parent, place)
	if c.New != "" {
		advice = "; did you mean " + c.New + "?"
	}
	return "unknown marker +" + full + advice, c
}

// written returns the name of a definition as it is written in a marker.
func written(full, parent string, def *Definition) string {
	for _, name := range []string{full, parent} {
		if d, _ := find(name, def.Places); d == def {
			return name
		}
	}
	return def.Name
}

// on returns the place for messages.
func (p Place) on() string {
	if p == OnPackage {
		return "outside of the comments of types and fields"
	}
	return "on a " + p.String()
}

// many returns the places in the plural.
func (p Place) many() string {
	var all []string
	for _, one := range []Place{OnPackage, OnType, OnField} {
		if p&one != 0 {
			all = append(all, one.String()+"s")
		}
	}
	return strings.Join(all, " and ")
}

// suggest returns the correction of an unknown marker below kubebuilder. It stays within the prefix that was written, if a
// marker there is near, and below kubebuilder.
func suggest(text, full, parent string, place Place) Correction {
	for _, def := range slices.Backward(Definitions) { // the longest name first
		rest, ok := strings.CutPrefix(text[1:], def.Name)
		if !ok || rest == "" || strings.ContainsAny(rest[:1], "=") || def.Kind == None {
			continue
		}
		if value := strings.TrimLeft(rest, ": "); value != rest {
			return Correction{text, "+" + def.Name + "=" + value}
		}
	}
	prefix := full[:strings.LastIndexByte(full, ':')+1]
	inItems := prefix == itemsPrefix
	if inItems {
		prefix = validation
	}
	var near, names, structs []string
	for _, def := range Definitions {
		if def.Places&place == 0 || !strings.HasPrefix(def.Name, "kubebuilder:") {
			continue
		}
		names = append(names, def.Name)
		if len(def.Arguments) > 0 {
			structs = append(structs, def.Name)
		}
		if strings.HasPrefix(def.Name, prefix) {
			near = append(near, def.Name)
		}
	}
	old := full
	meant := cmp.Or(marker.Nearest(full, near), marker.Nearest(full, names))
	if meant == "" && parent != full {
		old, meant = parent, marker.Nearest(parent, structs)
	}
	switch {
	case meant == "":
		return Correction{}
	case inItems && strings.HasPrefix(meant, validation):
		meant = itemsPrefix + strings.TrimPrefix(meant, validation)
	}
	return Correction{"+" + old, "+" + meant}
}

// sameLetters returns the marker outside of kubebuilder's that has the letters of a name, in any case
// and with other characters between and after them.
func sameLetters(name string) string {
	letters := onlyLetters(name)
	for _, def := range Definitions {
		if !strings.HasPrefix(def.Name, "kubebuilder:") && def.Name != name && onlyLetters(def.Name) == letters {
			return def.Name
		}
	}
	return ""
}

func onlyLetters(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return c
		case c >= 'A' && c <= 'Z':
			return c - 'A' + 'a'
		}
		return -1
	}, name)
}
