package marker

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// except returns the verbs without some.
func except(verbs ...string) []string {
	return slices.DeleteFunc(slices.Clone(Verbs), func(v string) bool { return slices.Contains(verbs, v) })
}

// typeCase is a comment above a type and the expected result.
type typeCase struct {
	name   string
	give   string
	want   Type
	faults []string // each without its end, see matches
}

var typeCases = []typeCase{
	{name: "nothing", give: ""},
	{name: "prose", give: "Shoe is what +genclient is not about."},
	{name: "other markers", give: "+k8s:deepcopy-gen:interfaces=a.B\n+optional\n+clientgen\n+noStatus"},
	{
		name: "a client",
		give: "Shoe is a kind.\n\n+genclient",
		want: Type{GenClient: true, At: place(3)},
	},
	{
		name: "a client twice",
		give: "+genclient\n+genclient",
		want: Type{GenClient: true, At: place(1)},
	},
	{
		name: "every switch",
		give: "+genclient\n+genclient:nonNamespaced\n+genclient:noStatus\n+genclient:noVerbs",
		want: Type{GenClient: true, At: place(1), NonNamespaced: true, NoStatus: true, NoVerbs: true},
	},
	{
		name: "only some verbs",
		give: "+genclient\n+genclient:onlyVerbs=get,list,updateStatus",
		want: Type{GenClient: true, At: place(1), Skip: except("get", "list", "updateStatus")},
	},
	{
		name: "skipped verbs, in the order given",
		give: "+genclient\n+genclient:skipVerbs=watch,create",
		want: Type{GenClient: true, At: place(1), Skip: []string{"watch", "create"}},
	},
	{
		name: "read-only",
		give: "+genclient\n+genclient:readonly",
		want: Type{GenClient: true, At: place(1), Skip: except("get", "list", "watch")},
	},
	{
		name: "read-only, and a verb of these",
		give: "+genclient\n+genclient:readonly\n+genclient:onlyVerbs=get",
		want: Type{GenClient: true, At: place(1), Skip: except("get", "list", "watch")},
	},
	{
		name: "a list of verbs twice alike",
		give: "+genclient\n+genclient:skipVerbs=watch\n+genclient:skipVerbs=watch",
		want: Type{GenClient: true, At: place(1), Skip: []string{"watch"}},
	},
	{
		name: "only and skipped verbs that have nothing in common",
		give: "+genclient\n+genclient:onlyVerbs=get\n+genclient:skipVerbs=watch",
		want: Type{GenClient: true, At: place(1), Skip: except("get")},
	},
	{
		name: "resource",
		give: "+genclient\n+resourceName=footwear\n+resourceName=footwear",
		want: Type{GenClient: true, At: place(1), Resource: "footwear"},
	},
	{
		name: "resource without a client",
		give: "+resourceName=footwear",
		want: Type{Resource: "footwear"},
	},

	// Errors in single markers.
	{name: "unknown", give: "+genclient:nostatus", faults: []string{"1: unknown marker +genclient:nostatus; did you mean +genclient:noStatus?"}},
	{name: "unknown, of no near name", give: "+genclient:x", faults: []string{"1: unknown marker +genclient:x; want one of +genclient, "}},
	{name: "unknown beginning", give: "+genclients", faults: []string{"1: unknown marker +genclients; did you mean +genclient?"}},
	{name: "space before the equals sign", give: "+genclient:onlyVerbs =get", faults: []string{"1: unknown marker +genclient:onlyVerbs ; did you mean +genclient:onlyVerbs?"}},
	{name: "two in a line", give: "+genclient, +genclient:noStatus", faults: []string{"1: unknown marker +genclient, +genclient:noStatus; put each marker on its own line"}},
	{name: "prose behind it", give: "+genclient // for shoes", faults: []string{"1: unknown marker +genclient // for shoes; put each marker on its own line"}},
	{name: "space in place of the colon", give: "+genclient noStatus", faults: []string{"1: unknown marker +genclient noStatus; did you mean +genclient:noStatus?"}},
	{name: "colon behind it", give: "+genclient:", faults: []string{"1: unknown marker +genclient:; did you mean +genclient?"}},
	{
		name:   "verbs with semicolons",
		give:   "+genclient\n+genclient:onlyVerbs=get;list",
		want:   Type{GenClient: true, At: place(1), Skip: except()},
		faults: []string{`2: warning: unknown verb "get;list"; separate verbs with commas, as in get,list`},
	},
	{name: "client with a value", give: "+genclient=false", faults: []string{"1: +genclient takes no value; "}},
	{name: "client with an empty value", give: "+genclient=", want: Type{GenClient: true, At: place(1)}, faults: []string{"1: warning: +genclient takes no value and applies whatever its value; "}},
	{
		name:   "switch with a value",
		give:   "+genclient\n+genclient:noStatus=true",
		want:   Type{GenClient: true, At: place(1), NoStatus: true},
		faults: []string{`2: warning: +genclient:noStatus takes no value and applies whatever its value; remove "=true", or the marker`},
	},
	{
		name:   "read-only with a value",
		give:   "+genclient\n+genclient:readonly=",
		want:   Type{GenClient: true, At: place(1), Skip: except("get", "list", "watch")},
		faults: []string{`2: warning: +genclient:readonly takes no value and applies whatever its value; remove "="`},
	},
	{name: "old form of nonNamespaced", give: "+nonNamespaced=true", faults: []string{"1: +nonNamespaced=true is no longer supported; use +genclient:nonNamespaced"}},
	{name: "old form of readonly", give: "+readonly=true", faults: []string{"1: +readonly=true is no longer supported; use +genclient:readonly"}},
	{name: "other people's markers", give: "+nonNamespaced\n+readonly"},
	{
		name:   "verb that does not exist",
		give:   "+genclient\n+genclient:onlyVerbs=get,UpdateStatus,lst",
		want:   Type{GenClient: true, At: place(1), Skip: except("get")},
		faults: []string{`2: warning: unknown verb "UpdateStatus"; did you mean updateStatus?`, `2: warning: unknown verb "lst"; did you mean list?`},
	},
	{
		name:   "verb that does not exist to skip",
		give:   "+genclient\n+genclient:skipVerbs=watch,",
		want:   Type{GenClient: true, At: place(1), Skip: []string{"watch"}},
		faults: []string{`2: warning: unknown verb ""; want one of create, `},
	},
	{
		name:   "no verbs given",
		give:   "+genclient\n+genclient:onlyVerbs",
		want:   Type{GenClient: true, At: place(1), Skip: except()},
		faults: []string{`2: warning: unknown verb ""`},
	},

	{name: "resource without a name", give: "+resourceName=", faults: []string{`1: invalid resource name ""; `}},
	{name: "resource in upper case", give: "+resourceName=Footwear", want: Type{Resource: "Footwear"}, faults: []string{`1: invalid resource name "Footwear"; `}},
	{name: "resource of two words", give: "+resourceName=foot wear", want: Type{Resource: "foot wear"}, faults: []string{`1: invalid resource name "foot wear"; `}},
	{name: "resource in quotes", give: `+resourceName="footwear"`, want: Type{Resource: `"footwear"`}, faults: []string{`1: invalid resource name "\"footwear\""; `}},
	{
		name:   "a good resource after a bad one",
		give:   "+resourceName=Footwear\n+resourceName=footwear",
		want:   Type{Resource: "Footwear"},
		faults: []string{`1: invalid resource name "Footwear"; `, "2: warning: +resourceName=footwear contradicts +resourceName=Footwear at line 1; keep one"},
	},

	// Contradicting markers.
	{name: "switch without a client", give: "+genclient:noStatus", want: Type{NoStatus: true}, faults: []string{"1: warning: +genclient:noStatus has no effect without +genclient; add +genclient above it"}},
	{name: "method without a client", give: "+genclient:method=Try,verb=get", want: Type{Methods: []Method{{Name: "Try", Verb: "get", Pos: place(1)}}}, faults: []string{"1: warning: +genclient:method has no effect without +genclient"}},
	{name: "verbs without a client", give: "+genclient:skipVerbs=get\n+genclient:readonly", faults: []string{
		"1: warning: +genclient:skipVerbs has no effect without +genclient",
		"2: warning: +genclient:readonly has no effect without +genclient",
	}},
	{
		name:   "only and skipped",
		give:   "+genclient\n+genclient:onlyVerbs=get,list\n+genclient:skipVerbs=list",
		want:   Type{GenClient: true, At: place(1), Skip: except("get", "list")},
		faults: []string{`3: warning: +genclient:skipVerbs contradicts +genclient:onlyVerbs at line 2 about the verb "list"`},
	},
	{
		name:   "read-only and skipped",
		give:   "+genclient\n+genclient:readonly\n+genclient:skipVerbs=watch",
		want:   Type{GenClient: true, At: place(1), Skip: except("get", "list", "watch")},
		faults: []string{`3: warning: +genclient:skipVerbs contradicts +genclient:readonly at line 2 about the verb "watch"`},
	},
	{
		name:   "read-only and only, where the verb is skipped",
		give:   "+genclient\n+genclient:readonly\n+genclient:onlyVerbs=get\n+genclient:skipVerbs=get",
		want:   Type{GenClient: true, At: place(1), Skip: except("get", "list", "watch")},
		faults: []string{`4: warning: +genclient:skipVerbs contradicts +genclient:`},
	},
	{
		name:   "read-only and another verb",
		give:   "+genclient\n+genclient:onlyVerbs=get,delete\n+genclient:readonly",
		want:   Type{GenClient: true, At: place(1), Skip: except("get", "list", "watch", "delete")},
		faults: []string{`2: warning: +genclient:onlyVerbs contradicts +genclient:readonly at line 3 about the verb "delete"`},
	},
	{
		name: "only verbs of the status, without a status",
		give: "+genclient\n+genclient:noStatus\n+genclient:onlyVerbs=updateStatus,get,applyStatus",
		want: Type{GenClient: true, At: place(1), NoStatus: true, Skip: except("updateStatus", "get", "applyStatus")},
		faults: []string{
			`3: warning: +genclient:onlyVerbs contradicts +genclient:noStatus at line 2 about the verb "applyStatus"`,
			`3: warning: +genclient:onlyVerbs contradicts +genclient:noStatus at line 2 about the verb "updateStatus"`,
		},
	},
	{
		name: "no verbs, but these",
		give: "+genclient\n+genclient:onlyVerbs=get\n+genclient:readonly\n+genclient:noVerbs",
		want: Type{GenClient: true, At: place(1), NoVerbs: true, Skip: except("get", "list", "watch")},
		faults: []string{
			"2: warning: +genclient:onlyVerbs contradicts +genclient:noVerbs at line 4: ",
			"3: warning: +genclient:readonly contradicts +genclient:noVerbs at line 4: ",
		},
	},
	{
		name: "no verbs, and without these",
		give: "+genclient\n+genclient:noVerbs\n+genclient:skipVerbs=get",
		want: Type{GenClient: true, At: place(1), NoVerbs: true, Skip: []string{"get"}},
	},
	{
		name:   "resources that contradict each other",
		give:   "+genclient\n+resourceName=a\n+resourceName=b",
		want:   Type{GenClient: true, At: place(1), Resource: "a"},
		faults: []string{"3: warning: +resourceName=b contradicts +resourceName=a at line 2; keep one"},
	},
	{
		name:   "two lists of verbs",
		give:   "+genclient\n+genclient:skipVerbs=get\n+genclient:skipVerbs=list",
		want:   Type{GenClient: true, At: place(1), Skip: []string{"get"}},
		faults: []string{"3: warning: +genclient:skipVerbs is repeated, and only the first one, at line 2, applies; list all verbs in one marker"},
	},

	// Methods in addition to the verbs.
	{
		name: "methods",
		give: "+genclient\n+genclient:method=Grow,verb=update\n+genclient:method=Shrink,verb=update",
		want: Type{GenClient: true, At: place(1), Methods: []Method{
			{Name: "Grow", Verb: "update", Pos: place(2)},
			{Name: "Shrink", Verb: "update", Pos: place(3)},
		}},
	},
	{
		name: "method named like a verb that is skipped",
		give: "+genclient\n+genclient:skipVerbs=updateStatus\n+genclient:method=UpdateStatus,verb=update,subresource=status",
		want: Type{GenClient: true, At: place(1), Skip: []string{"updateStatus"}, Methods: []Method{
			{Name: "UpdateStatus", Verb: "update", Subresource: "status", Pos: place(3)},
		}},
	},
	{
		name: "method named like a verb that no status leaves",
		give: "+genclient\n+genclient:noStatus\n+genclient:method=UpdateStatus,verb=update,subresource=status",
		want: Type{GenClient: true, At: place(1), NoStatus: true, Methods: []Method{
			{Name: "UpdateStatus", Verb: "update", Subresource: "status", Pos: place(3)},
		}},
	},
	{
		name: "method twice",
		give: "+genclient\n+genclient:method=Try,verb=create\n+genclient:method=Try,verb=get",
		want: Type{GenClient: true, At: place(1), Methods: []Method{
			{Name: "Try", Verb: "create", Pos: place(2)},
			{Name: "Try", Verb: "get", Pos: place(3)},
		}},
		faults: []string{"3: method Try is already declared at line 2; choose another name"},
	},
	{
		name:   "invalid methods are omitted",
		give:   "+genclient\n+genclient:method=Try\n+genclient:method=Try,verb=get",
		want:   Type{GenClient: true, At: place(1), Methods: []Method{{Name: "Try", Verb: "get", Pos: place(3)}}},
		faults: []string{"2: method Try has no verb"},
	},
	{
		name: "no verbs, but a method",
		give: "+genclient\n+genclient:noVerbs\n+genclient:method=Try,verb=get",
		want: Type{GenClient: true, At: place(1), NoVerbs: true, Methods: []Method{
			{Name: "Try", Verb: "get", Pos: place(3)},
		}},
		faults: []string{"3: warning: +genclient:method contradicts +genclient:noVerbs at line 2"},
	},

	// Kubebuilder's marker.
	{
		name: "kubebuilder",
		give: "+kubebuilder:resource:path=footwear,scope=Cluster,shortName=fw;ft,singular=shoe",
		want: Type{KubePath: "footwear", KubeScope: "Cluster", KubeAt: place(1)},
	},
	{
		name: "kubebuilder, in another order",
		give: "+genclient\n+kubebuilder:resource:scope=Namespaced,path=footwear",
		want: Type{GenClient: true, At: place(1), KubePath: "footwear", KubeScope: "Namespaced", KubeAt: place(2)},
	},
	{
		name: "kubebuilder, in quotes",
		give: "+kubebuilder:resource:path=\"footwear\", scope=`Cluster`",
		want: Type{KubePath: "footwear", KubeScope: "Cluster", KubeAt: place(1)},
	},
	{
		name: "kubebuilder, without settings",
		give: "+kubebuilder:resource",
		want: Type{KubeAt: place(1)},
	},
	{
		name: "kubebuilder, other settings",
		give: "+kubebuilder:resource:shortName=fw\n+kubebuilder:subresource:status\n+kubebuilder:object:root=true",
		want: Type{KubeAt: place(1)},
	},
	{
		name:   "kubebuilder, invalid path",
		give:   "+kubebuilder:resource:path=Foot\"wear,scope=Cluster",
		want:   Type{KubeScope: "Cluster", KubeAt: place(1)},
		faults: []string{`1: invalid resource name "Foot\"wear"; `},
	},
	{
		name: "kubebuilder, in two parts",
		give: "+kubebuilder:resource:path=footwear\n+kubebuilder:resource:scope=Cluster",
		want: Type{KubePath: "footwear", KubeScope: "Cluster", KubeAt: place(2)},
	},
}

func TestParseType(t *testing.T) {
	for _, c := range typeCases {
		t.Run(c.name, func(t *testing.T) {
			var diags diag.List
			got := ParseType(comment(c.give), &diags)
			matches(t, faults(t, &diags), c.faults)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestMarkerOrder checks that the order of markers changes only the positions in messages.
func TestMarkerOrder(t *testing.T) {
	for _, c := range typeCases {
		lines := strings.Split(c.give, "\n")
		if len(lines) < 2 || c.faults != nil || strings.Count(c.give, "method=") > 1 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			slices.Reverse(lines)
			var diags diag.List
			got := ParseType(comment(strings.Join(lines, "\n")), &diags)
			if err := diags.Err(""); err != nil {
				t.Fatal(err)
			}
			noPlaces := cmp.FilterPath(func(p cmp.Path) bool {
				name := p.Last().String()
				return name == ".At" || name == ".KubeAt" || name == ".Pos"
			}, cmp.Ignore())
			if d := cmp.Diff(c.want, got, noPlaces); d != "" {
				t.Error(d)
			}
		})
	}
}
