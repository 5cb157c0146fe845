package replace

import (
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
		t.Errorf("got %v, want %v\n%s", got, page, text)
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
	if n := strings.Count(string(text), "\n|---"); n != 3 {
		t.Errorf("%d tables, want 3", n)
	}
}
