package versions_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/generators/internal/versions"
)

const tree = `
-- apis/shop/v1/doc.go --
// +groupName=shop.example.com
package v1
-- apis/shop/v1/types.go --
package v1

// +kubebuilder:resource
type (
	Shoe struct{}
	Boot = string
)
-- apis/shop/v1/types_test.go --
package v1

// +x
type Test struct{}
-- apis/shop/v1/plain.go --
package v1

type Plain struct{}
-- apis/shop/v2alpha1/types.go --
//+groupName=shop.example.com
package v2alpha1

type Shoe struct{}
-- apis/shop/v3/notes.txt --
// +groupName=shop.example.com
type Shoe struct{}
-- apis/shop/internal/types.go --
// +groupName=shop.example.com
package internal
-- apis/shop/v4 --
a file
`

func TestDirectories(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(tree)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	shop := filepath.Join(dir, "apis", "shop")
	var got []string
	for _, d := range versions.Beside(filepath.Join(shop, "v1"), "example.com/m/apis/shop/v1") {
		if d.Name != filepath.Join(shop, d.Version()) {
			t.Errorf("%s is in %s", d.Version(), d.Name)
		}
		text := d.Path
		if d.Empty() {
			text += " empty"
		}
		if d.Declares("shop.example.com", "Shoe") {
			text += " has shoes"
		}
		got = append(got, text)
	}
	if d := cmp.Diff([]string{"example.com/m/apis/shop/v2alpha1 has shoes", "example.com/m/apis/shop/v3 empty"}, got); d != "" {
		t.Error(d)
	}
	if beside := versions.Beside(filepath.Join(dir, "none", "v1"), "example.com/m/none/v1"); beside != nil {
		t.Errorf("got %v", beside)
	}
	v1 := versions.Read(filepath.Join(shop, "v1"), "example.com/m/apis/shop/v1")
	for _, c := range []struct {
		group, kind string
		want        bool
	}{
		{"shop.example.com", "Shoe", true}, {"shop.example.com", "Boot", true}, {"shop.example.com", "Sho", false},
		{"store.example.com", "Shoe", false}, {"shop.example.com", "Test", false}, {"shop.example.com", "Plain", false},
	} {
		if got := v1.Declares(c.group, c.kind); got != c.want {
			t.Errorf("%s of %s: got %v", c.kind, c.group, got)
		}
	}
	if v := versions.Read(filepath.Join(shop, "internal"), "example.com/m/apis/shop/internal").Version(); v != "" {
		t.Errorf("got version %q", v)
	}
}
