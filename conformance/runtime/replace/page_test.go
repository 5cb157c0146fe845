package replace

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestPageIsReadAsItWasWritten(t *testing.T) {
	page := &Page{
		Programs:    []string{Row("one", "https://example.test/one", "v1", "3 passed"), Row("two", "https://example.test/two", "v2", "")},
		Differences: []string{Row("two", "https://example.test/two", "`pkg`", "TestA")},
		Cluster:     []string{Row("three", "https://example.test/three", "client-go", "1.0")},
	}
	text, err := page.text()
	if err != nil {
		t.Fatal(err)
	}
	if got := parsePage(string(text)); !reflect.DeepEqual(got, page) {
		t.Errorf("parsePage returns %v, want %v, of\n%s", got, page, text)
	}
	if got := NameOf(page.Programs[1]); got != "two" {
		t.Errorf("name %q", got)
	}
}

func TestPageWithoutRows(t *testing.T) {
	text, err := (&Page{}).text()
	if err != nil {
		t.Fatal(err)
	}
	if got := parsePage(string(text)); !reflect.DeepEqual(got, &Page{}) {
		t.Errorf("rows %v", got)
	}
	if n := strings.Count(string(text), "\n|---"); n != 2 { // that of the cluster is not there
		t.Errorf("%d tables, want 2", n)
	}
}

// The page in the repository is made of the template and its rows.
func TestPageInRepository(t *testing.T) {
	page, err := ReadPage()
	if err != nil {
		t.Fatal(err)
	}
	want, err := page.text()
	if err != nil {
		t.Fatal(err)
	}
	name, err := pageName()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != string(want) {
		t.Errorf("%s is not what its rows and the template make; edit replace.md.tmpl; %v", name, err)
	}
}
