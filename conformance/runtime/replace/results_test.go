package replace_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/gotest"
	"github.com/listwatch/listwatch/conformance/runtime/replace"
)

// output is what go test -json prints for events that are given one a line, as "action package test".
func output(lines ...string) string {
	var out strings.Builder
	for _, line := range lines {
		fields := append(strings.Fields(line), "", "")
		out.WriteString(`{"Action":"` + fields[0] + `","Package":"example.test/m/` + fields[1] + `","Test":"` + fields[2] + "\"}\n")
	}
	return out.String()
}

// read returns the results in an output.
func read(t *testing.T, text string) *replace.Results {
	t.Helper()
	results := replace.NewResults()
	err := results.Read(strings.NewReader(text), func(pkg string) string { return strings.TrimPrefix(pkg, "example.test/m/") })
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestRead(t *testing.T) {
	text := output("run a TestOne", "run a TestOne/sub", "pass a TestOne/sub", "pass a TestOne", "run a TestTwo", "skip a TestTwo", "pass a",
		"run b TestPanics", "fail b") +
		`{"Action":"build-output","ImportPath":"example.test/m/c","Output":"# example.test/m/c\n"}
{"Action":"build-output","ImportPath":"example.test/m/c","Output":"c.go:1: wrong\n"}
{"Action":"fail","Package":"example.test/m/c","FailedBuild":"example.test/m/c"}
`
	r := read(t, text)
	if r.Count(gotest.Pass) != 2 || r.Count(gotest.Skip) != 1 || r.Tests["b TestPanics"] != gotest.Fail {
		t.Errorf("tests: %v", r.Tests)
	}
	if r.Broken["c"] != "c.go:1: wrong\n" || len(r.Broken) != 1 {
		t.Errorf("broken: %v", r.Broken)
	}
	if r.Packages["a"] != gotest.Pass || r.Packages["b"] != gotest.Fail {
		t.Errorf("packages: %v", r.Packages)
	}
}

// The names of tests can contain the address of a server, of which the port is another one each time.
func TestReadPorts(t *testing.T) {
	r := read(t, output("run a TestOne/http://127.0.0.1:34339/healthz", "pass a TestOne/http://127.0.0.1:34339/healthz", "pass a"))
	if r.Tests["a TestOne/http://127.0.0.1:port/healthz"] != gotest.Pass || len(r.Tests) != 1 {
		t.Errorf("tests: %v", r.Tests)
	}
}

func TestReadReportsWhatIsNoEvent(t *testing.T) {
	err := replace.NewResults().Read(strings.NewReader("go: no such module"), strings.ToLower)
	if err == nil || !strings.Contains(err.Error(), "no such module") {
		t.Errorf("error %v", err)
	}
}

func TestReadSpecs(t *testing.T) {
	r := replace.NewResults()
	err := r.ReadSpecs("a", strings.NewReader(`[{"SpecReports": [
		{"LeafNodeType": "BeforeSuite", "State": "passed"},
		{"LeafNodeType": "It", "ContainerHierarchyTexts": ["cache"], "LeafNodeText": "lists", "State": "passed"},
		{"LeafNodeType": "It", "ContainerHierarchyTexts": ["cache"], "LeafNodeText": "waits", "State": "timedout", "Failure": {"Message": "late"}},
		{"LeafNodeType": "It", "ContainerHierarchyTexts": null, "LeafNodeText": "later", "State": "pending"},
		{"LeafNodeType": "AfterSuite", "State": "failed"}
	]}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"a cache lists": gotest.Pass, "a cache waits": gotest.Fail, "a later": gotest.Skip, "a [AfterSuite]": gotest.Fail,
	}
	for key, result := range want {
		if r.Tests[key] != result {
			t.Errorf("%s: %q, want %q", key, r.Tests[key], result)
		}
	}
	if len(r.Tests) != len(want) || r.Output["a cache waits"] != "late" {
		t.Errorf("tests %v, output %v", r.Tests, r.Output)
	}
}

func TestMerge(t *testing.T) {
	r := read(t, output("run a TestOnce", "fail a TestOnce", "run a TestTwice", "fail a TestTwice", "run a TestFine", "pass a TestFine", "fail a"))
	r.Merge(read(t, output("run a TestOnce", "pass a TestOnce", "run a TestTwice", "fail a TestTwice", "run a TestFine", "fail a TestFine", "fail a")))
	if !slices.Equal(r.Again, []string{"a TestOnce"}) {
		t.Errorf("again: %v", r.Again)
	}
	if r.Count(gotest.Pass) != 2 || r.Tests["a TestTwice"] != gotest.Fail {
		t.Errorf("tests: %v", r.Tests)
	}
}

func TestReplace(t *testing.T) {
	r := read(t, output("run a TestGone", "fail a TestGone", "fail a", "run b TestStays", "pass b TestStays", "pass b"))
	r.Broken["c"] = "c.go:1: wrong"
	r.Replace(read(t, output("run a TestNew", "pass a TestNew", "pass a", "run c TestBuilt", "pass c TestBuilt", "pass c")))
	want := map[string]string{"a TestNew": gotest.Pass, "b TestStays": gotest.Pass, "c TestBuilt": gotest.Pass}
	if !maps.Equal(r.Tests, want) || len(r.Broken) != 0 || len(r.Output) != 0 || r.Packages["a"] != gotest.Pass {
		t.Errorf("results %+v", r)
	}
}

func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after []string
		want          []replace.Difference
	}{
		{"none", []string{"pass a T", "pass a"}, []string{"pass a T", "pass a"}, nil},
		{"fails", []string{"pass a T", "pass a"}, []string{"fail a T", "fail a"}, []replace.Difference{{"a", "T", "pass", "fail"}}},
		{"passes", []string{"skip a T"}, []string{"pass a T"}, []replace.Difference{{"a", "T", "skip", "pass"}}},
		{
			"a subtest explains its test", []string{"pass a Test", "pass a Test/x"}, []string{"fail a Test", "fail a Test/x"},
			[]replace.Difference{{"a", "Test/x", "pass", "fail"}},
		},
		{"names with random parts", []string{"pass a Test", "pass a Test/1"}, []string{"pass a Test", "pass a Test/2"}, nil},
		{
			"a test that fails early lacks subtests", []string{"pass a Test", "pass a Test/x"}, []string{"fail a Test"},
			[]replace.Difference{{"a", "Test", "pass", "fail"}},
		},
		{"a missing test", []string{"pass a Test"}, nil, []replace.Difference{{"a", "Test", "pass", "missing"}}},
		{"a package", []string{"pass a T", "pass a"}, []string{"pass a T", "fail a"}, []replace.Difference{{"a", "", "pass", "fail"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := replace.Differences(read(t, output(c.before...)), read(t, output(c.after...)))
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestDifferencesOfPackageThatDoesNotCompile(t *testing.T) {
	after := replace.NewResults()
	after.Broken["a"] = "a.go:1: wrong"
	got := replace.Differences(read(t, output("pass a T", "pass a U", "pass a")), after)
	if want := []replace.Difference{{"a", "", "pass", replace.Unbuilt}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
