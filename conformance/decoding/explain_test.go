package decoding_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/codec"
)

// TestNoBuiltInFieldIsSlow explains all kinds: those of k8s.io/api and apimachinery have no field that the fast decoder
// does not know.
func TestNoBuiltInFieldIsSlow(t *testing.T) {
	fast, slow := 0, map[string]bool{}
	for _, k := range kinds(t) {
		obj, err := k.Scheme.New(k.GVK)
		if err != nil {
			t.Fatal(err)
		}
		typ := reflect.TypeOf(obj).Elem()
		fields := codec.Explain(typ)
		if len(fields) == 0 {
			fast++
		}
		for _, f := range fields {
			if strings.HasPrefix(typ.PkgPath(), "k8s.io/") {
				t.Errorf("%v: %v", k.GVK, f)
			}
			slow[fmt.Sprintf("%v: %v", k.GVK.Kind, f)] = true
		}
	}
	for line := range slow {
		t.Log(line)
	}
	t.Logf("%d kinds are fast", fast)
}
