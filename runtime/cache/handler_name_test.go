package cache

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type namedHandler struct{ ResourceEventHandler }

func TestNameForHandler(t *testing.T) {
	const pkg = "github.com/listwatch/listwatch/runtime/cache."
	discard := func(any) {}
	type typed = TypedResourceEventHandlerFuncs[*metav1.ObjectMeta]
	discardTyped := typed{AddFunc: func(*metav1.ObjectMeta) {}}
	for name, tc := range map[string]struct {
		handler ResourceEventHandler
		want    string
	}{
		"nil":            {nil, "<nil>"},
		"a type":         {namedHandler{}, pkg + "namedHandler"},
		"a pointer":      {&namedHandler{}, pkg + "namedHandler"},
		"a nil pointer":  {(*namedHandler)(nil), "*cache.namedHandler"},
		"an unnamed one": {struct{ namedHandler }{}, "struct { cache.namedHandler }"},
		"a function":     {ResourceEventHandlerFuncs{AddFunc: discard}, pkg + "TestNameForHandler"},
		"functions of one": {
			ResourceEventHandlerDetailedFuncs{AddFunc: func(any, bool) {}, DeleteFunc: discard}, pkg + "TestNameForHandler",
		},
		"by pointer": {&ResourceEventHandlerFuncs{DeleteFunc: discard}, pkg + "TestNameForHandler"},
		"functions of several": {
			ResourceEventHandlerFuncs{UpdateFunc: ResourceEventHandlerFuncs{}.OnUpdate, DeleteFunc: discard},
			pkg + "ResourceEventHandlerFuncs.OnUpdate-fm+" + pkg + "TestNameForHandler.func1",
		},
		"no functions":         {ResourceEventHandlerFuncs{}, pkg + "ResourceEventHandlerFuncs"},
		"a nil one":            {(*ResourceEventHandlerFuncs)(nil), "*cache.ResourceEventHandlerFuncs"},
		"filtered":             {FilteringResourceEventHandler{Handler: namedHandler{}}, pkg + "namedHandler"},
		"filtered by pointer":  {&FilteringResourceEventHandler{Handler: &namedHandler{}}, pkg + "namedHandler"},
		"filtered nil pointer": {(*FilteringResourceEventHandler)(nil), "*cache.FilteringResourceEventHandler"},
		"filtered nil":         {FilteringResourceEventHandler{}, pkg + "FilteringResourceEventHandler"},
		"typed":                {untypedHandler(discardTyped), pkg + "TestNameForHandler"},
		"typed and detailed": {
			untypedHandler(TypedResourceEventHandlerDetailedFuncs[*metav1.ObjectMeta]{AddFunc: func(*metav1.ObjectMeta, bool) {}}),
			pkg + "TestNameForHandler",
		},
		"typed and filtered": {
			untypedHandler(TypedFilteringResourceEventHandler[*metav1.ObjectMeta]{Handler: discardTyped}), pkg + "TestNameForHandler",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := nameForHandler(tc.handler); got != tc.want {
				t.Errorf("the name is\n%s, want\n%s", got, tc.want)
			}
		})
	}
}
