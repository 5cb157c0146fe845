package flavours

import (
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
	"github.com/listwatch/listwatch/internal/testcase"
)

const (
	clientGo = "k8s.io/client-go/"
	ours     = testcase.Module + "/runtime/"
)

// Paths are the packages of client-go that appear in the API of generated code, each followed by
// its replacement. They are import paths below k8s.io/client-go and below our runtime.
var Paths = []string{
	"applyconfigurations/meta/v1", "applyconfigurations/meta/v1",
	"discovery", "discovery",
	"discovery/fake", "discovery/fake",
	"listers", "listers",
	"openapi", "openapi",
	"rest", "rest",
	"testing", "testing",
	"tools/cache", "cache",
}

// translator replaces import paths in descriptions of the client-go flavour with ours.
var translator = func() *strings.Replacer {
	oldnew := []string{testcase.Module + "/golden/client-go/", testcase.Module + "/golden/"}
	for path := range slices.Chunk(Paths, 2) {
		// The dot before a type's name keeps a path from matching those below it.
		oldnew = append(oldnew, clientGo+path[0]+".", ours+path[1]+".")
	}
	return strings.NewReplacer(oldnew...)
}()

// aliases are the types of generated packages for which ours have aliases, each followed by the
// type of the runtime.
var aliases = []struct {
	emitted *regexp.Regexp
	runtime string
}{
	{regexp.MustCompile(`[\w./-]+/internalinterfaces\.InformerOptions`), ours + "informers.Options"},
	{regexp.MustCompile(`[\w/-][\w./-]*\.SharedInformerOption\b`), ours + "informers.FactoryOption"},
}

// Translate returns the API of a tree in the client-go flavour as it must be in ours.
func Translate(packages map[string]goapi.API) map[string]goapi.API {
	translated := make(map[string]goapi.API, len(packages))
	for path, api := range packages {
		to := make(goapi.API, len(api))
		for symbol, description := range api {
			for _, a := range aliases {
				description = a.emitted.ReplaceAllLiteralString(description, a.runtime)
			}
			to[symbol] = translator.Replace(description)
		}
		translated[translator.Replace(path)] = to
	}
	return translated
}
