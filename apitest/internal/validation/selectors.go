package validation

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/ext"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	apicel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

var selectorChecks = map[string]check{
	// An expression in CEL that says whether a device is suitable.
	"device-expression": of(func(expression *string, at *field.Path) field.ErrorList {
		if len(*expression) > resourcev1.CELSelectorExpressionMaxLength {
			return field.ErrorList{field.TooLong(at, "", resourcev1.CELSelectorExpressionMaxLength)}
		}
		compile, err := deviceCompiler()
		if err != nil {
			return field.ErrorList{field.InternalError(at, err)}
		}
		cost, problem := compile(*expression)
		switch {
		case problem != "":
			return field.ErrorList{field.Invalid(at, *expression, problem)}
		case cost > resourcev1.CELSelectorExpressionMaxCost:
			return field.ErrorList{field.Forbidden(at, "too complex, exceeds cost limit")}
		}
		return nil
	}),
}

// deviceCompiler returns a function that returns the highest cost of an expression about a device, or what is wrong
// with it.
var deviceCompiler = sync.OnceValues(func() (func(string) (uint64, string), error) {
	device := deviceType()
	set, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 31),
		EnvOptions:        []cel.EnvOption{ext.Bindings(ext.BindingsVersion(0)), cel.Variable("device", device.CelType())},
		DeclTypes:         []*apicel.DeclType{device},
	})
	if err != nil {
		return nil, err
	}
	env, err := set.Env(environment.NewExpressions)
	if err != nil {
		return nil, err
	}
	return func(expression string) (uint64, string) {
		ast, issues := env.Compile(expression)
		if issues.Err() != nil {
			return 0, "compilation failed: " + issues.String()
		}
		if t := ast.OutputType(); !t.IsExactType(cel.BoolType) && !t.IsExactType(cel.AnyType) {
			return 0, fmt.Sprintf("must evaluate to %v or the unknown type, not %v", cel.BoolType, t)
		}
		cost, failed := env.EstimateCost(ast, &library.CostEstimator{SizeEstimator: deviceSizes{device}})
		if failed != nil {
			return 0, "cost estimation failed: " + failed.Error()
		}
		return cost.Max, ""
	}, nil
})

// deviceType returns the type of the variable device, with the sizes that a device can have.
func deviceType() *apicel.DeclType {
	sized := func(t *apicel.DeclType, most int64) *apicel.DeclType {
		out := *t
		out.MaxElements = most
		return &out
	}
	perDomain := func(value *apicel.DeclType) *apicel.DeclType {
		const most = 32
		inDomain := apicel.NewMapType(sized(apicel.StringType, resourcev1.DeviceMaxIDLength), value, most)
		return apicel.NewMapType(sized(apicel.StringType, resourcev1.DeviceMaxDomainLength), inDomain, most)
	}
	fields := map[string]*apicel.DeclField{}
	for name, t := range map[string]*apicel.DeclType{
		"driver":                   sized(apicel.StringType, resourcev1.DriverNameMaxLength),
		"attributes":               perDomain(sized(apicel.AnyType, resourcev1.DeviceAttributeMaxValueLength)),
		"capacity":                 perDomain(apicel.QuantityDeclType),
		"allowMultipleAllocations": sized(apicel.BoolType, 1),
	} {
		fields[name] = apicel.NewDeclField(name, t, true, nil, nil)
	}
	return apicel.NewObjectType("kubernetes.DRADevice", fields)
}

// deviceSizes estimates the sizes of what is in a device.
type deviceSizes struct{ device *apicel.DeclType }

// EstimateSize implements checker.CostEstimator.
func (s deviceSizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	path := node.Path()
	if len(path) == 0 || path[0] != "device" {
		return nil
	}
	at := s.device
	for _, name := range path[1:] {
		if at = within(at, name); at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Max: uint64(at.MaxElements)} //nolint:gosec // it is not negative
}

// within returns the type of what is in a value, or nil. Attributes of any name are the same.
func within(t *apicel.DeclType, name string) *apicel.DeclType {
	switch name {
	case "@items", "@values":
		return t.ElemType
	case "@keys":
		return t.KeyType
	}
	if f, ok := t.Fields[name]; ok {
		return f.Type
	}
	if t.ElemType != nil && t.ElemType.MaxElements == resourcev1.DeviceAttributeMaxValueLength {
		return t.ElemType
	}
	return nil
}

// EstimateCallCost implements checker.CostEstimator: the costs of functions are the usual ones.
func (deviceSizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
