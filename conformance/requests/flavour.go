package requests

import (
	"strconv"
	"strings"
)

// Flavour says which packages a generated tree rests on.
type Flavour struct {
	Name string
	// Imports replace packages of client-go that the driver imports, by path.
	Imports map[string]string
}

// ClientGo is the flavour whose trees import client-go, as upstream's do.
var ClientGo = Flavour{Name: "client-go"}

// rewrite moves the driver's source into the scratch module, and onto the
// flavour's packages.
func (f Flavour) rewrite(source string) string {
	oldnew := []string{`"` + driverPath + "/", `"` + scratchPath + "/"}
	for old, new := range f.Imports {
		oldnew = append(oldnew, strconv.Quote(old), strconv.Quote(new))
	}
	return strings.NewReplacer(oldnew...).Replace(source)
}
