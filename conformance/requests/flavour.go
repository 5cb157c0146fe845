package requests

import (
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/requests/transcript"
	"github.com/listwatch/listwatch/internal/testcase"
)

// Flavour says which packages a generated tree rests on.
type Flavour struct {
	Name testcase.Flavour
	// Imports replace packages of client-go that the driver imports, by path.
	Imports map[string]string
	// Informers says whether there are listers and informers. Where there are none,
	// files of the driver that import client-go's cache are left out.
	Informers bool
}

var (
	// ClientGo is the flavour whose trees import client-go, as upstream's do.
	ClientGo = Flavour{Name: testcase.ClientGo, Informers: true}
	// Listwatch is the flavour of our own runtime.
	Listwatch = Flavour{Name: testcase.Listwatch, Imports: map[string]string{
		"k8s.io/client-go/rest":    testcase.Module + "/runtime/rest",
		"k8s.io/client-go/testing": testcase.Module + "/runtime/testing",
	}}
)

const cachePath = `"k8s.io/client-go/tools/cache"`

// has says whether a file of the driver is for this flavour.
func (f Flavour) has(source string) bool {
	return f.Informers || !strings.Contains(source, cachePath)
}

// rewrite moves the driver's source into the scratch module, and onto the
// flavour's packages.
func (f Flavour) rewrite(source string) string {
	oldnew := []string{`"` + driverPath + "/", `"` + scratchPath + "/"}
	for old, new := range f.Imports {
		oldnew = append(oldnew, strconv.Quote(old), strconv.Quote(new))
	}
	return strings.NewReplacer(oldnew...).Replace(source)
}

// tools sets those of ours to the flavour.
func (f Flavour) tools(ours peers.Tools) peers.Tools {
	ours.Flags = []string{"--runtime=" + string(f.Name)}
	return ours
}

// commands are those of a job that the flavour has a use for.
func (f Flavour) commands(job peers.Job) []peers.Command {
	var commands []peers.Command
	for _, c := range job.Commands() {
		if f.Informers || c.Tool == testcase.Clientset {
			commands = append(commands, c)
		}
	}
	return commands
}

// drives returns those calls that a tree of the flavour can be driven to.
func (f Flavour) drives(calls []transcript.Call) []transcript.Call {
	if f.Informers {
		return calls
	}
	var driven []transcript.Call
	for _, c := range calls {
		if part, _, _ := strings.Cut(c.Name, " "); !ofInformers[part] {
			driven = append(driven, c)
		}
	}
	return driven
}

// ofInformers are the parts of a transcript that need listers or informers.
var ofInformers = map[string]bool{"informer": true, "typed": true, "factory": true, "lister": true}
