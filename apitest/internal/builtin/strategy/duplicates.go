package strategy

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// ValidateDeclaratively implements rest.DeclarativeValidationStrategy. Metadata has been validated
// twice before; this removes the duplicate errors, as the real server does before it evaluates
// declared rules.
func (s *Strategy) ValidateDeclaratively(_ context.Context, _, _ runtime.Object, errs field.ErrorList, _ operation.Type, _ rest.DeclarativeValidationConfig) field.ErrorList {
	same := field.ErrorMatcher{}.ByType().ByOrigin().ByField().ByValue().ByDetailExact()
	var unique field.ErrorList
	for _, err := range errs {
		if !slices.ContainsFunc(unique, func(earlier *field.Error) bool { return same.Matches(earlier, err) }) {
			unique = append(unique, err)
		}
	}
	return unique
}

// DeclarativeValidationConfig implements rest.DeclarativeValidationStrategy.
func (s *Strategy) DeclarativeValidationConfig(context.Context, runtime.Object, runtime.Object) rest.DeclarativeValidationConfig {
	return rest.DeclarativeValidationConfig{}
}
