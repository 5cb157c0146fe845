package kinds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/loadtest"
)

// kindCases are the markers of a type Shoe, its fields, and the rest of its file.
var kindCases = []struct {
	name    string
	markers string
	fields  string
	rest    string
	// want is the kind, and extended the kind if input that code-generator ignores is used; empty
	// if there is no difference.
	want, extended string
	// faults are always reported, warnings only if nothing more than code-generator's input is
	// used.
	faults, warnings []string
}{
	{name: "plain", want: "Shoe, shoes"},
	{name: "cluster-scoped", markers: "// +genclient:nonNamespaced\n", want: "Shoe, shoes, cluster-scoped"},
	{name: "status", fields: "Status int\n", want: "Shoe, shoes, status"},
	{name: "status of any case", fields: "status int\n", want: "Shoe, shoes"},
	{name: "status excluded", markers: "// +genclient:noStatus\n", fields: "Status int\n", want: "Shoe, shoes"},
	{
		name:   "status of an embedded struct",
		fields: "Parts\n", rest: "type Parts struct { Status int }",
		want: "Shoe, shoes", extended: "Shoe, shoes, status",
		warnings: []string{"types.go:8:6: warning: code-generator ignores the Status of type Shoe"},
	},
	{name: "embedded type called Status", fields: "Status\n", rest: "type Status struct {}", want: "Shoe, shoes, status"},
	{name: "no verbs", markers: "// +genclient:noVerbs\n", want: "Shoe, shoes, no verbs"},
	{name: "verbs", markers: "// +genclient:skipVerbs=delete,watch\n", want: "Shoe, shoes, without delete,watch"},
	{name: "resource", markers: "// +resourceName=footwear\n", want: "Shoe, footwear"},
	{
		name:    "resource by kubebuilder's marker",
		markers: "// +kubebuilder:resource:path=footwear\n",
		want:    "Shoe, shoes", extended: "Shoe, footwear",
		warnings: []string{"types.go:8:4: warning: code-generator ignores path=footwear"},
	},
	{name: "resource by kubebuilder's marker, as by the rule", markers: "// +kubebuilder:resource:path=shoes\n", want: "Shoe, shoes"},
	{name: "resource by both markers alike", markers: "// +resourceName=footwear\n// +kubebuilder:resource:path=footwear\n", want: "Shoe, footwear"},
	{
		name:    "resource by both markers",
		markers: "// +resourceName=footwear\n// +kubebuilder:resource:path=boots\n",
		want:    "Shoe, footwear",
		faults:  []string{"types.go:9:4: warning: path=boots contradicts +resourceName=footwear; keep one"},
	},
	{
		name:    "scope by kubebuilder's marker",
		markers: "// +kubebuilder:resource:scope=Cluster\n",
		want:    "Shoe, shoes", extended: "Shoe, shoes, cluster-scoped",
		warnings: []string{"types.go:8:4: warning: code-generator ignores scope=Cluster"},
	},
	{name: "scope by both markers alike", markers: "// +genclient:nonNamespaced\n// +kubebuilder:resource:scope=Cluster\n", want: "Shoe, shoes, cluster-scoped"},
	{name: "namespaced by kubebuilder's marker", markers: "// +kubebuilder:resource:scope=Namespaced\n", want: "Shoe, shoes"},
	{
		name:    "scope by both markers",
		markers: "// +genclient:nonNamespaced\n// +kubebuilder:resource:scope=Namespaced\n",
		want:    "Shoe, shoes, cluster-scoped",
		faults:  []string{"types.go:9:4: warning: scope=Namespaced contradicts +genclient:nonNamespaced; keep one"},
	},
	{
		name:    "method of its own type",
		markers: "// +genclient:method=Try,verb=update,subresource=trial\n",
		want:    "Shoe, shoes, Try(shoe shopv1.Shoe) shopv1.Shoe",
	},
	{
		name:    "method of types of the package",
		markers: "// +genclient:method=Try,verb=create,input=Trial,result=Verdict\n",
		rest:    "type Trial struct{ TypeMeta, ObjectMeta int }; type Verdict struct{ TypeMeta, ObjectMeta int }",
		want:    "Shoe, shoes, Try(trial shopv1.Trial) shopv1.Verdict",
	},
	{
		name:    "method of a type of another package",
		markers: "// +genclient:method=Try,verb=create,input=example.com/m/court/v1.Trial\n",
		want:    "Shoe, shoes, Try(trial courtv1.Trial) shopv1.Shoe",
	},
	{
		name:    "method of a type that is not on disk",
		markers: "// +genclient:method=Try,verb=create,result=example.com/elsewhere/v1.Trial\n",
		want:    "Shoe, shoes, Try(shoe shopv1.Shoe) elsewherev1.Trial",
	},
	{
		name:    "methods of types of like packages",
		markers: "// +genclient:method=Try,verb=create,input=example.com/m/court/v1.Trial,result=example.com/m/high/court/v1.Trial\n",
		want:    "Shoe, shoes, Try(trial courtv1.Trial) highcourtv1.Trial",
	},
	{
		name:    "methods of types of like packages, with hyphens",
		markers: "// +genclient:method=Try,verb=create,input=example.com/m/court/v1.Trial,result=example.com/my-own/court/v1.Trial\n",
		want:    "Shoe, shoes, Try(trial courtv1.Trial) myowncourtv1.Trial",
	},
	{
		name: "methods of types of three like packages",
		markers: "// +genclient:method=Try,verb=create,input=example.com/m/court/v1.Trial,result=example.com/m/high/court/v1.Trial\n" +
			"// +genclient:method=Retry,verb=create,result=example.com/other/high/court/v1.Trial\n",
		want: "Shoe, shoes, Try(trial courtv1.Trial) highcourtv1.Trial, Retry(shoe shopv1.Shoe) highhighcourtv1.Trial",
	},
	{
		name:    "method that lists",
		markers: "// +genclient:method=Laces,verb=list,result=Lace\n",
		rest:    "type Lace struct {}; type LaceList struct { TypeMeta int }",
		want:    "Shoe, shoes, Laces(shoe shopv1.Shoe) shopv1.Lace",
	},
	{
		name:    "method whose input is named like an import",
		markers: "// +genclient:method=Try,verb=create,input=Cache\n",
		rest:    "type Cache struct{ TypeMeta, ObjectMeta int }",
		want:    "Shoe, shoes, Try(cacheObject shopv1.Cache) shopv1.Shoe",
	},
	{
		name:    "method of types that are not there",
		markers: "// +genclient:method=Try,verb=create,input=Trial,result=example.com/m/court/v1.Verdict\n",
		want:    "Shoe, shoes, Try(trial shopv1.Trial) courtv1.Verdict",
		faults: []string{
			"types.go:8:4: input=Trial of method Try: package ",
			"types.go:8:4: result=example.com/m/court/v1.Verdict of method Try: package example.com/m/court/v1 has no type Verdict",
		},
	},
	{
		name:    "methods that clients have",
		markers: "// +genclient:method=GetClient,verb=get\n// +genclient:method=GetNamespace,verb=get\n// +genclient:method=Resource,verb=get\n// +genclient:method=Namespace,verb=get\n// +genclient:method=Kind,verb=get\n",
		want:    "Shoe, shoes, GetClient(shoe shopv1.Shoe) shopv1.Shoe, GetNamespace(shoe shopv1.Shoe) shopv1.Shoe, Resource(shoe shopv1.Shoe) shopv1.Shoe, Namespace(shoe shopv1.Shoe) shopv1.Shoe, Kind(shoe shopv1.Shoe) shopv1.Shoe",
		faults: []string{
			"types.go:8:4: method GetClient already exists, and other methods of the client use it; choose another name",
			"types.go:9:4: method GetNamespace already exists",
			"types.go:10:4: method Resource already exists",
			"types.go:11:4: method Namespace already exists",
		},
	},
	{
		name:    "methods that clients outside of namespaces have not",
		markers: "// +genclient:nonNamespaced\n// +genclient:method=GetNamespace,verb=get\n// +genclient:method=Kind,verb=list,result=Shoe\n",
		want:    "Shoe, shoes, cluster-scoped, GetNamespace(shoe shopv1.Shoe) shopv1.Shoe, Kind(shoe shopv1.Shoe) shopv1.Shoe",
		faults:  []string{"types.go:10:4: method Kind already exists"},
	},
	{
		name:    "method of a type that is not an object",
		markers: "// +genclient:method=Try,verb=create,input=Trial\n// +genclient:method=Retry,verb=create,result=Trial\n",
		rest:    "type Trial struct {}",
		want:    "Shoe, shoes, Try(trial shopv1.Trial) shopv1.Shoe, Retry(shoe shopv1.Shoe) shopv1.Trial",
		faults: []string{
			"types.go:8:4: input=Trial of method Try: type Trial has no TypeMeta, so it is not an API object; ",
			"types.go:9:4: result=Trial of method Retry: type Trial has no TypeMeta, so it is not an API object; ",
		},
	},
	{
		name:    "method of an object by its own account",
		markers: "// +genclient:method=Try,verb=create,input=Trial\n",
		rest:    "type Trial struct {}; func (t *Trial) GetObjectKind() {}",
		want:    "Shoe, shoes, Try(trial shopv1.Trial) shopv1.Shoe",
	},
	{
		name:    "method of a generic type",
		markers: "// +genclient:method=Try,verb=create,input=Trial\n",
		rest:    "type Trial[T any] struct { TypeMeta int }",
		want:    "Shoe, shoes, Try(trial shopv1.Trial) shopv1.Shoe",
		faults:  []string{"types.go:8:4: input=Trial of method Try: type Trial is generic; declare an instantiation, type Name = Trial[...], and use that"},
	},
	{
		name:    "update of a type without a name",
		markers: "// +genclient:method=Try,verb=update,input=Trial\n// +genclient:method=Retry,verb=update,subresource=trial,input=Trial\n",
		rest:    "type Trial struct { TypeMeta int }",
		want:    "Shoe, shoes, Try(trial shopv1.Trial) shopv1.Shoe, Retry(trial shopv1.Trial) shopv1.Shoe",
		faults:  []string{"types.go:8:4: input=Trial of method Try: type Trial has no object name, which an update request needs; add subresource=, "},
	},
	{
		name:    "method whose input is named like the group",
		markers: "// +genclient:method=Try,verb=create,input=Shopv1\n",
		rest:    "type Shopv1 struct{ TypeMeta int }",
		want:    "Shoe, shoes, Try(shopv1Object shopv1.Shopv1) shopv1.Shoe",
	},
	{
		name:    "method of a type of a package that generated code imports",
		markers: "// +genclient:method=Try,verb=create,result=k8s.io/apimachinery/pkg/apis/meta/v1.Status\n",
		want:    "Shoe, shoes, Try(shoe shopv1.Shoe) metav1.Status",
	},
	{name: "no list needed", markers: "// +genclient:skipVerbs=list\n", want: "Shoe, shoes, without list"},
}

// TestMethodOfAnotherVersion names a type of another package of the run: it is imported under the
// same name as elsewhere.
func TestMethodOfAnotherVersion(t *testing.T) {
	w := loadtest.New(t, "-- all/shop/v1/types.go --\n"+loadtest.Kind("Shoe", "// +genclient:method=Try,verb=create,result=example.com/m/all/store/v1.Sock\n", "")+
		"-- all/store/v1/doc.go --\n// +groupGoName=Boutique\n\npackage v1\n-- all/store/v1/types.go --\n"+loadtest.Kind("Sock", "", ""))
	got, faults := read(t, w, sources(w, "all"), kinds.Options{})
	checkLines(t, "faults", faults, nil)
	checkLines(t, "model", got, []string{
		`shop/v1 of "shop" is ShopV1, imported as shopv1`, "  Shoe, shoes, Try(shoe shopv1.Shoe) boutiquev1.Sock",
		`store/v1 of "store" is BoutiqueV1, imported as boutiquev1`, "  Sock, socks",
	})
}

// TestKinds builds a kind for each case: like code-generator, and with the input that it ignores.
func TestKinds(t *testing.T) {
	var archive strings.Builder
	archive.WriteString("-- court/v1/x.go --\npackage v1\ntype Trial struct{ TypeMeta, ObjectMeta int }\n-- high/court/v1/x.go --\npackage v1\ntype Trial struct{ TypeMeta, ObjectMeta int }\n")
	dir := func(i int) string { return fmt.Sprintf("case%d", i) }
	for i, c := range kindCases {
		fmt.Fprintf(&archive, "-- %s/shop/v1/types.go --\n%s%s\n", dir(i), loadtest.Kind("Shoe", c.markers, c.fields), c.rest)
	}
	w := loadtest.New(t, archive.String())
	for i, c := range kindCases {
		for _, extended := range []bool{false, true} {
			name, want, faults := c.name, c.want, append(c.faults, c.warnings...)
			if extended {
				name, faults = name+", extended", c.faults
				if c.extended != "" {
					want = c.extended
				}
			}
			t.Run(name, func(t *testing.T) {
				got, found := read(t, w, sources(w, dir(i)), kinds.Options{Extended: extended, Imports: map[string]string{"k8s.io/apimachinery/pkg/apis/meta/v1": "metav1"}})
				if len(got) != 2 || got[1] != "  "+want {
					t.Errorf("got %q, want %q", got, want)
				}
				for i := range found {
					_, found[i], _ = strings.Cut(found[i], "/shop/v1/")
				}
				checkLines(t, "faults", found, faults)
			})
		}
	}
}
