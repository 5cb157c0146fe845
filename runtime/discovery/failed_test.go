package discovery_test

import (
	"errors"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
)

func TestErrGroupDiscoveryFailed(t *testing.T) {
	failed := &discovery.ErrGroupDiscoveryFailed{Groups: map[schema.GroupVersion]error{
		{Group: "b", Version: "v1"}: apierrors.NewNotFound(schema.GroupResource{Resource: "x"}, "y"),
		{Group: "a", Version: "v2"}: errors.New("broken"),
		{Group: "c", Version: "v1"}: errors.New("broken"),
		{Group: "d", Version: "v1"}: errors.New("broken"),
		{Group: "e", Version: "v1"}: errors.New("broken"),
	}}
	want := `unable to retrieve the complete list of server APIs: a/v2: broken, b/v1: x "y" not found, c/v1: broken, d/v1: broken, e/v1: broken`
	if got := failed.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	other := errors.New("broken")
	for _, tt := range []struct {
		name string
		err  error
		want bool
	}{
		{"itself", failed, true},
		{"wrapped", fmt.Errorf("in vain: %w", failed), true},
		{"another", other, false},
		{"none", nil, false},
	} {
		groups, ok := discovery.GroupDiscoveryFailedErrorGroups(tt.err)
		if ok != tt.want || len(groups) > 0 != tt.want {
			t.Errorf("%s: got groups %v, %t", tt.name, groups, ok)
		}
		if got := discovery.IsGroupDiscoveryFailedError(tt.err); got != tt.want {
			t.Errorf("%s: got %t", tt.name, got)
		}
		if got := errors.Is(tt.err, &discovery.ErrGroupDiscoveryFailed{}); got != tt.want {
			t.Errorf("%s: errors.Is is %t", tt.name, got)
		}
	}
	if errors.Is(failed, other) || apierrors.IsNotFound(failed) {
		t.Error("the reasons of single groups count for the whole")
	}
}
