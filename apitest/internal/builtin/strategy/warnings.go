package strategy

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
)

// WarningsOnCreate implements rest.RESTCreateStrategy.
func (s *Strategy) WarningsOnCreate(_ context.Context, obj runtime.Object) []string {
	return s.warnings(obj, nil)
}

// WarningsOnUpdate implements rest.RESTUpdateStrategy.
func (s *Strategy) WarningsOnUpdate(_ context.Context, obj, old runtime.Object) []string {
	return s.warnings(obj, old)
}

func (s *Strategy) warnings(obj, old runtime.Object) []string {
	var out []string
	if s.rules.NoEffect != "" {
		out = append(out, s.rules.NoEffect)
	}
	if s.rules.Warn != nil {
		out = append(out, s.rules.Warn(obj, old)...)
	}
	return out
}
