package requests

import (
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// Flavour describes the packages that a generated tree uses.
type Flavour struct {
	Name testcase.Flavour
	// Imports replace packages of client-go that the driver imports, by path.
	Imports map[string]string
}

var (
	// ClientGo is the flavour whose trees import client-go, like upstream's.
	ClientGo = Flavour{Name: testcase.ClientGo}
	// Listwatch is the flavour of our own runtime.
	Listwatch = Flavour{Name: testcase.Listwatch, Imports: map[string]string{
		"k8s.io/client-go/informers":         testcase.Module + "/kubernetes/informers",
		"k8s.io/client-go/kubernetes":        testcase.Module + "/kubernetes",
		"k8s.io/client-go/kubernetes/fake":   testcase.Module + "/kubernetes/fake",
		"k8s.io/client-go/kubernetes/scheme": testcase.Module + "/kubernetes/scheme",
		"k8s.io/client-go/rest":              testcase.Module + "/runtime/rest",
		"k8s.io/client-go/testing":           testcase.Module + "/runtime/testing",
		"k8s.io/client-go/tools/cache":       testcase.Module + "/runtime/cache",
	}}
)

// rewrite adapts the driver's source to the scratch module and the flavour's packages.
func (f Flavour) rewrite(source string) string {
	oldnew := []string{`"` + driverPath + "/", `"` + scratchPath + "/"}
	for old, new := range f.Imports {
		oldnew = append(oldnew, strconv.Quote(old), strconv.Quote(new))
	}
	return strings.NewReplacer(oldnew...).Replace(source)
}

// tools sets our tools to the flavour.
func (f Flavour) tools(ours peers.Tools) peers.Tools {
	ours.Flags = []string{"--runtime=" + string(f.Name)}
	return ours
}
