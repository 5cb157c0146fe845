package cache

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestTransformErrorsNameFunctionAndObject(t *testing.T) {
	torn := errors.New("torn")
	transform := TransformFunc(func(obj any) (any, error) {
		m, ok := obj.(*metav1.PartialObjectMetadata)
		switch {
		case !ok || m.Name == "torn":
			return nil, torn
		case m.Name == "lost":
			return nil, nil
		case m.Name == "void":
			return (*metav1.PartialObjectMetadata)(nil), nil
		}
		return obj, nil
	}).naming(newNamer(MetaNamespaceKeyFunc))
	const with = " with github.com/listwatch/listwatch/runtime/cache.TestTransformErrorsNameFunctionAndObject.func1: "
	for _, c := range []struct {
		obj  any
		want string
		is   error
	}{
		{boat("n", "torn", "", "1"), "transform *v1.PartialObjectMetadata n/torn" + with + "torn", torn},
		{"letter", "transform string" + with + "torn", torn},
		{boat("n", "lost", "", "1"), "transform *v1.PartialObjectMetadata n/lost" + with + "returned nil in place of the object", errNoObject},
		{boat("n", "void", "", "1"), "transform *v1.PartialObjectMetadata n/void" + with + "returned nil in place of the object", errNoObject},
	} {
		if obj, err := transform(c.obj); obj != nil || !errors.Is(err, c.is) || err.Error() != c.want {
			t.Errorf("%v, %v, want %s", obj, err, c.want)
		}
	}
}
