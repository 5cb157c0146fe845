package testing_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
	fakes "github.com/listwatch/listwatch/runtime/testing"
)

func TestReactorsAreAskedInOrder(t *testing.T) {
	fake := &fakes.Fake{}
	var asked []string
	reactor := func(name string, handled bool) fakes.ReactionFunc {
		return func(fakes.Action) (bool, runtime.Object, error) {
			asked = append(asked, name)
			return handled, widget(name), nil
		}
	}
	fake.AddReactor("*", "*", reactor("last", true))
	fake.AddReactor("*", "*", reactor("never", true))
	fake.PrependReactor("get", "widgets", reactor("second", false))
	fake.PrependReactor("get", "widgets/status", reactor("status", false))
	fake.PrependReactor("list", "*", reactor("list", false))
	fake.PrependReactor("get", "gadgets", reactor("gadgets", false))
	for _, c := range []struct {
		action fakes.Action
		want   []string
	}{
		{fakes.NewGetAction(widgets, "ns", "a"), []string{"second", "last"}},
		{fakes.NewGetSubresourceAction(widgets, "ns", "status", "a"), []string{"status", "second", "last"}},
		{fakes.NewGetSubresourceAction(widgets, "ns", "scale", "a"), []string{"second", "last"}},
		{fakes.NewListAction(widgets, widgetKind, "ns", metav1.ListOptions{}), []string{"list", "last"}},
		{fakes.NewDeleteAction(gadgets, "ns", "a"), []string{"last"}},
	} {
		asked = nil
		obj, err := fake.Invokes(c.action, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, asked); diff != "" {
			t.Errorf("%v: %s", c.action, diff)
		}
		if got := obj.(*Widget).Name; got != "last" {
			t.Errorf("got the result of %s", got)
		}
	}
}

func TestWithoutReactors(t *testing.T) {
	fake := &fakes.Fake{}
	want := widget("empty")
	obj, err := fake.Invokes(fakes.NewGetAction(widgets, "ns", "a"), want)
	if obj != want || err != nil {
		t.Errorf("got %v, %v", obj, err)
	}
	if _, err := fake.InvokesWatch(fakes.NewWatchAction(widgets, "ns", nil)); err == nil {
		t.Error("got no error from a watch")
	}
	if got := fake.InvokesProxy(fakes.NewProxyGetAction(widgets, "ns", "", "a", "", "", nil)); got != nil {
		t.Errorf("got %v from a proxy", got)
	}
	if got := len(fake.Actions()); got != 3 {
		t.Errorf("got %d actions", got)
	}
	fake.ClearActions()
	if got := fake.Actions(); got == nil || len(got) != 0 {
		t.Errorf("got %v after clearing", got)
	}
}

// TestWhatReactorsChange checks that a reactor's changes of an action are visible to the next
// reactor only.
func TestWhatReactorsChange(t *testing.T) {
	fake := &fakes.Fake{}
	fake.AddReactor("create", "widgets", func(action fakes.Action) (bool, runtime.Object, error) {
		action.(fakes.CreateAction).GetObject().(*Widget).Spec.Colour = "red"
		return false, nil, nil
	})
	fake.AddReactor("create", "widgets", func(action fakes.Action) (bool, runtime.Object, error) {
		return true, action.(fakes.CreateAction).GetObject(), errors.New("beside an object")
	})
	given := widget("a")
	obj, err := fake.Invokes(fakes.NewCreateAction(widgets, "ns", given), nil)
	if err == nil || obj.(*Widget).Spec.Colour != "red" {
		t.Errorf("got %v, %v", obj, err)
	}
	if given.Spec.Colour != "" {
		t.Error("a reactor modified the caller's object")
	}
	given.Spec.Colour = "blue"
	if got := fake.Actions()[0].(fakes.CreateAction).GetObject().(*Widget).Spec.Colour; got != "" {
		t.Errorf("recorded colour %q", got)
	}
}

func TestWatchReactors(t *testing.T) {
	fake := &fakes.Fake{}
	failure := errors.New("no watch")
	stub := watch.NewFake()
	fake.AddWatchReactor("*", fakes.DefaultWatchReactor(nil, failure))
	fake.PrependWatchReactor("widgets", fakes.DefaultWatchReactor(stub, nil))
	got, err := fake.InvokesWatch(fakes.NewWatchAction(widgets, "ns", nil))
	if got != stub || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err = fake.InvokesWatch(fakes.NewWatchAction(gadgets, "ns", nil)); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
}

type response string

func (r response) DoRaw(context.Context) ([]byte, error)         { return []byte(r), nil }
func (r response) Stream(context.Context) (io.ReadCloser, error) { return nil, nil }

func TestProxyReactors(t *testing.T) {
	fake := &fakes.Fake{}
	fake.AddProxyReactor("*", func(fakes.Action) (bool, rest.ResponseWrapper, error) { return true, response("all"), nil })
	fake.PrependProxyReactor("widgets", func(fakes.Action) (bool, rest.ResponseWrapper, error) {
		return true, response("failed"), errors.New("no")
	})
	fake.PrependProxyReactor("gadgets", func(fakes.Action) (bool, rest.ResponseWrapper, error) {
		return true, response("gadgets"), nil
	})
	if got := fake.InvokesProxy(fakes.NewProxyGetAction(widgets, "ns", "", "a", "", "", nil)); got != response("all") {
		t.Errorf("got %v", got)
	}
	if got := fake.InvokesProxy(fakes.NewProxyGetAction(gadgets, "ns", "", "a", "", "", nil)); got != response("gadgets") {
		t.Errorf("got %v", got)
	}
}

// TestWhileAReactorRuns checks that a fake can be read and extended while one of its reactors
// waits, and that reactors run one at a time.
func TestWhileAReactorRuns(t *testing.T) {
	fake := &fakes.Fake{}
	entered, leave := make(chan bool), make(chan bool)
	running := 0
	fake.AddReactor("get", "*", func(fakes.Action) (bool, runtime.Object, error) {
		running++
		defer func() { running-- }()
		if running > 1 {
			t.Error("two reactors at a time")
		}
		entered <- true
		<-leave
		return true, nil, nil
	})
	var calls sync.WaitGroup
	for range 3 {
		calls.Go(func() {
			if _, err := fake.Invokes(fakes.NewGetAction(widgets, "ns", "a"), nil); err != nil {
				t.Error(err)
			}
		})
	}
	for n := 1; n <= 3; n++ {
		<-entered
		if got := len(fake.Actions()); got != n {
			t.Errorf("got %d actions, want %d", got, n)
		}
		fake.PrependReactor("list", "*", nil)
		leave <- true
	}
	calls.Wait()
}
