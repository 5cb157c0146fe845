// Package conversions adds conversion functions to schemes.
package conversions

import (
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
)

// Func converts in to out.
type Func[In, Out any] func(in *In, out *Out, s conversion.Scope) error

// Pair returns a function that adds the conversions between two types to a scheme.
func Pair[A, B any](to Func[A, B], back Func[B, A]) func(*runtime.Scheme) error {
	return func(scheme *runtime.Scheme) error {
		if err := add(scheme, to); err != nil {
			return err
		}
		return add(scheme, back)
	}
}

func add[In, Out any](scheme *runtime.Scheme, convert Func[In, Out]) error {
	return scheme.AddConversionFunc((*In)(nil), (*Out)(nil), func(in, out any, s conversion.Scope) error {
		return convert(in.(*In), out.(*Out), s)
	})
}
