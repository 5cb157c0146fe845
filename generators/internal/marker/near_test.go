package marker

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// nearCases are lines that are almost markers, with the intended ones.
var nearCases = []struct {
	name string
	give string
	want string
}{
	{"case", "+genClient", "+genclient"},
	{"case of a switch", "+GenClient:NonNamespaced", "+genclient:nonNamespaced"},
	{"space after the sign", "+ genclient", "+genclient"},
	{"sign twice", "++genClient", "+genclient"},
	{"letters changed places", "+genclinet", "+genclient"},
	{"dash", "+gen-client", "+genclient"},
	{"underscore", "+gen_client:noStatus", "+genclient:noStatus"},
	{"missing letter", "+genclent", "+genclient"},
	{"letter too many", "+gennclient", "+genclient"},
	{"letter replaced", "+benclient", "+genclient"},
	{"value kept", "+gen-client:onlyVerbs=get,list", "+genclient:onlyVerbs=get,list"},
	{"group in lower case", "+groupname=shop.example.com", "+groupName=shop.example.com"},
	{"group with spaces", "+groupName = shop.example.com", "+groupName=shop.example.com"},
	{"group with a prefix", "+k8s:groupName=shop.example.com", "+groupName=shop.example.com"},
	{"group with kubebuilder's prefix", "+kubebuilder:groupName=shop.example.com", "+groupName=shop.example.com"},
	{"group with a colon", "+groupName: shop.example.com", "+groupName=shop.example.com"},
	{"group with a space", "+groupName shop.example.com", "+groupName=shop.example.com"},
	{"core group", "+groupname=", "+groupName="},
	{"name in Go", "+groupGoname=Shop", "+groupGoName=Shop"},
	{"resource in lower case", "+resourcename=shoes", "+resourceName=shoes"},
	{"resource with dashes", "+resource-name=shoes", "+resourceName=shoes"},
	{"resource with genclient's prefix", "+k8s:genclient:resourceName=shoes", ""},
	{"genclient with a prefix", "+k8s:genclient", "+genclient"},
	{"switch without its prefix", "+nonNamespaced", "+genclient:nonNamespaced"},
	{"verbs without their prefix", "+onlyVerbs=get", "+genclient:onlyVerbs=get"},
	{"tool without its prefix", "+client-gen=false", "+k8s:client-gen=false"},
	{"tool without its dash", "+k8s:listergen=false", "+k8s:lister-gen=false"},
	{"deepcopy without a dash", "+k8s:deepcopygen=package", "+k8s:deepcopy-gen=package"},
	{"deepcopy with a letter missing", "+k8s:depcopy-gen=true", "+k8s:deepcopy-gen=true"},
	{"interfaces in the singular", "+k8s:deepcopy-gen:interface=a.B", "+k8s:deepcopy-gen:interfaces=a.B"},
	{"object with a dash", "+kubebuilder-object:root=true", "+kubebuilder:object:root=true"},
	{"object in upper case", "+kubebuilder:Object:generate=true", "+kubebuilder:object:generate=true"},
	{"object", "+kubebuilder:object:root=true", ""},
	{"deepcopy with another value", "+k8s:deepcopy-gen=no", ""},
	{"false in upper case", "+k8s:client-gen=False", "+k8s:client-gen=false"},
	{"false as no", "+k8s:informer-gen=no", "+k8s:informer-gen=false"},
	{"scope in lower case", "+kubebuilder:resource:scope=cluster", "+kubebuilder:resource:scope=Cluster"},
	{"scope among others", "+kubebuilder:resource:path=shoes,scope=namespaced,shortName=s", "+kubebuilder:resource:path=shoes,scope=Namespaced,shortName=s"},
	{"path in upper case", "+kubebuilder:resource:Path=shoes", "+kubebuilder:resource:path=shoes"},
	{"kubebuilder in upper case", "+Kubebuilder:resource:path=shoes", "+kubebuilder:resource:path=shoes"},
	{"kubebuilder in the plural", "+kubebuilder:resources:scope=Cluster", "+kubebuilder:resource:scope=Cluster"},

	{"behind an asterisk", "/* +genclient", "+genclient"},
	{"behind an asterisk, with a value", "/* +groupName=a.b", "+groupName=a.b"},
	{"behind an asterisk, unknown", "/* +genclient:nostatus", "+genclient:noStatus"},
	{"behind an asterisk, kubebuilder", "/* +kubebuilder:resource:path=shoes", "+kubebuilder:resource:path=shoes"},

	{"genclient", "+genclient", ""},
	{"genclient in a block", "/+genclient", ""},
	{"reported as an unknown marker", "+genclient:nostatus", ""},
	{"reported as an unknown beginning", "+genclients", ""},
	{"group", "+groupName=a.b", ""},
	{"core group without a sign", "+groupName", ""},
	{"kubebuilder", "+kubebuilder:resource:path=shoes,scope=Cluster,shortName={a,b},categories=all", ""},
	{"kubebuilder, quoted", "+kubebuilder:resource:path=\"shoes\", scope=`Cluster`", ""},
	{"other kubebuilder", "+kubebuilder:object:root=true", ""},
	{"kubebuilder's subresources", "+kubebuilder:subresource:status", ""},
	{"true", "+k8s:client-gen=true", ""},
	{"false", "+k8s:client-gen=false", ""},
	{"package", "+k8s:client-gen=package", ""},
	{"other tools", "+k8s:openapi-gen=true", ""},
	{"deepcopy", "+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object", ""},
	{"conversion", "+k8s:conversion-gen=k8s.io/x", ""},
	{"prerelease", "+k8s:prerelease-lifecycle-gen:introduced=1.0", ""},
	{"protobuf", "+protobuf.options.(gogoproto.goproto_stringer)=false", ""},
	{"optional", "+optional", ""},
	{"list type", "+listType=map", ""},
	{"version name", "+versionName=v1", ""},
	{"read-only", "+readonly", ""},
	{"method", "+method=Try", ""},
	{"status", "+status", ""},
	{"build", "+build !ignore", ""},
	{"nothing", "+", ""},
	{"prose", "+groupName is in doc.go", ""},
	{"sum", "+1", ""},
	{"example", "\t+genclinet", ""},
	{"example in a block", "/* \t+genclient", ""},
	{"bullet in a line comment", "* +genclient", ""},
	{"no sign", "genclient", ""},
	{"long", "+" + strings.Repeat("genclient", 20), ""},
}

// nearLine returns a line of a comment, which is a block comment if it begins with a
// slash.
func nearLine(text string) load.Line {
	rest, block := strings.CutPrefix(text, "/")
	return load.Line{Text: rest, Block: block}
}

func TestNear(t *testing.T) {
	for _, c := range nearCases {
		t.Run(c.name, func(t *testing.T) {
			line := nearLine(c.give)
			if got, ok := Near(line); got != c.want || ok != (c.want != "") {
				t.Errorf("got %q, %v; want %q", got, ok, c.want)
			}
			// What is found in syntax must be found in bytes.
			src := "package v1\n\n// " + line.Text + "\ntype A struct{}\n"
			if line.Block {
				src = "package v1\n\n/*\n " + line.Text + "\n*/\ntype A struct{}\n"
			}
			if c.want != "" && !MayMiss([]byte(src)) {
				t.Errorf("not found in %q", src)
			}
		})
	}
}

// TestNearIsQuick checks that files without near misses are not parsed for them.
func TestNearIsQuick(t *testing.T) {
	src := `// Package v1 has markers, +genclinet in prose, sums and strings.
// +groupName=a.b
// +k8s:deepcopy-gen=package
package v1

import "fmt"

// +genclient
// +optional
// +kubebuilder:resource:path=as,scope=Cluster
type A struct{}

var x = 1 + genclinet / 2 + 3

var y = "a" +
	"+genClient"
`
	if MayMiss([]byte(src)) {
		t.Error("a near miss is reported although there is none")
	}
}

// FuzzNear parses arbitrary lines: the suggested marker is one that resembles no other, and
// whatever is found in syntax is found in bytes.
func FuzzNear(f *testing.F) {
	for _, c := range nearCases {
		f.Add(c.give)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\n\r") || strings.Contains(text, "*/") || strings.TrimRight(text, " \t") != text {
			t.Skip("not a line of a comment")
		}
		line := nearLine(text)
		meant, ok := Near(line)
		if !ok {
			return
		}
		if again, ok := Near(load.Line{Text: meant}); ok {
			t.Errorf("%q was meant to be %q, and that %q", text, meant, again)
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(meant, "+"), "=")
		if !strings.HasPrefix(name, "kubebuilder:resource") && !isKnown(name) {
			t.Errorf("%q was meant to be %q, which is not a marker", text, meant)
		}
		src := "package v1 //" + line.Text
		if line.Block {
			src = "package v1 /*\n" + line.Text + "\n*/"
		}
		if !MayMiss([]byte(src)) {
			t.Errorf("not found in %q", src)
		}
	})
}

func isKnown(name string) bool {
	for _, k := range known {
		if k == name {
			return true
		}
	}
	return false
}
