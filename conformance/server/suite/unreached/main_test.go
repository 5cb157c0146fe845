package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/cover"
)

const source = `package validation

func validate(n int, at *field.Path) (errs field.ErrorList) {
	if n < 0 {
		errs = append(errs, field.Invalid(at, n, "negative"))
	}
	if n > 9 {
		errs = append(errs, field.TooMany(at, n, 9))
	}
	return append(errs, field.Child("a").Required(n))
}
`

const profile = `mode: set
k8s.io/kubernetes/pkg/apis/a/validation/a.go:4.2,4.11 1 1
k8s.io/kubernetes/pkg/apis/a/validation/a.go:4.11,6.3 1 1
k8s.io/kubernetes/pkg/apis/a/validation/a.go:7.2,7.11 1 1
k8s.io/kubernetes/pkg/apis/a/validation/a.go:7.11,9.3 1 0
k8s.io/kubernetes/pkg/apis/a/validation/a.go:10.2,10.51 1 1
k8s.io/kubernetes/cmd/kube-apiserver/apiserver.go:1.1,2.1 1 1
`

func TestReport(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pkg", "apis", "a", "validation", "a.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	profiles, err := cover.ParseProfilesFromReader(strings.NewReader(profile))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := report(&out, dir, profiles); err != nil {
		t.Fatal(err)
	}
	const want = "pkg/apis/a/validation/a.go:8: errs = append(errs, field.TooMany(at, n, 9))\n1 of 2 errors are reached\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
