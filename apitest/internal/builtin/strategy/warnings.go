package strategy

import (
	"context"
	"reflect"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/catalog"
	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	"k8s.io/apimachinery/pkg/runtime"
)

// Unchecked returns the warning about objects that are accepted without validation, or "".
func Unchecked(def *catalog.Definition, r *kinds.Rules, example runtime.Object) string {
	if !def.Known || r.Validate != nil || r.ValidateRequest != nil || checks.Checked(reflect.TypeOf(example).Elem()) {
		return ""
	}
	return "apitest does not validate " + def.GVR.GroupResource().String()
}

// WarningsOnCreate implements rest.RESTCreateStrategy.
func (s *Strategy) WarningsOnCreate(_ context.Context, obj runtime.Object) []string {
	return s.warnings(obj, nil)
}

// WarningsOnUpdate implements rest.RESTUpdateStrategy.
func (s *Strategy) WarningsOnUpdate(_ context.Context, obj, old runtime.Object) []string {
	return s.warnings(obj, old)
}

func (s *Strategy) warnings(obj, old runtime.Object) []string {
	out := slices.Clone(s.own)
	if s.rules.Warn != nil {
		out = append(out, s.rules.Warn(obj, old)...)
	}
	return out
}
