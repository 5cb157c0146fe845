package validation

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/environment"
)

var expressionChecks = map[string]check{
	// The syntax of an expression in CEL, not its types.
	"syntax": of(func(expression *string, at *field.Path) field.ErrorList {
		parse, err := parser()
		if err != nil {
			return field.ErrorList{field.InternalError(at, err)}
		}
		if text := parse(*expression); text != "" {
			return field.ErrorList{field.Invalid(at, *expression, "compilation failed: "+text)}
		}
		return nil
	}),
}

// parser returns a function that returns what is wrong with the syntax of an expression.
var parser = sync.OnceValues(func() (func(string) string, error) {
	env, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Env(environment.NewExpressions)
	return func(expression string) string {
		if _, issues := env.Parse(expression); issues.Err() != nil {
			return issues.String()
		}
		return ""
	}, err
})
