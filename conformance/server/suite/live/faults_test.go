package live

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/cache"
)

var errDown = apierrors.NewInternalError(errors.New("it is broken"))

// TestInformers follows a server while objects are created, changed and deleted and one fault
// occurs, and checks that the informers end in the server's state.
func TestInformers(t *testing.T) {
	reads := func(verb string) embedded.Match {
		return embedded.Match{Verb: verb, Group: embedded.CoreGroup, Resource: "configmaps"}
	}
	for _, test := range []struct {
		name string
		// wrong causes a fault while objects change; mend ends it, and repairs what does not
		// recover by itself.
		wrong func(*testing.T, *embedded.Server) (mend func())
	}{
		{"nothing", func(*testing.T, *embedded.Server) func() { return func() {} }},
		{"watches end", func(t *testing.T, s *embedded.Server) func() {
			if n := s.Faults().DropWatches(); n == 0 {
				t.Error("no watch was dropped")
			}
			return func() { s.Faults().DropWatches() }
		}},
		{"connections are cut", func(_ *testing.T, s *embedded.Server) func() {
			s.Faults().CutConnections()
			return func() { s.Faults().CutConnections() }
		}},
		{"history expires", func(_ *testing.T, s *embedded.Server) func() {
			injected := s.Faults().Inject(embedded.Rule{Match: reads("watch"), Error: apierrors.NewTooManyRequests("later", 0)})
			s.Faults().DropWatches()
			return func() {
				s.Faults().ExpireHistory()
				injected.Remove()
			}
		}},
		{"watches and lists fail", func(t *testing.T, s *embedded.Server) func() {
			watches := s.Faults().Inject(embedded.Rule{Match: reads("watch"), Error: errDown, Times: 2})
			lists := s.Faults().Inject(embedded.Rule{Match: reads("list"), Error: apierrors.NewServiceUnavailable("it rests"), Times: 1})
			s.Faults().ExpireHistory()
			s.Faults().DropWatches()
			return func() { over(t, watches, lists) }
		}},
		{"watches are forbidden", func(t *testing.T, s *embedded.Server) func() {
			injected := s.Faults().Inject(embedded.Rule{Match: reads("watch"), Times: 2,
				Error: apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "", errors.New("not today"))})
			s.Faults().DropWatches()
			return func() { over(t, injected) }
		}},
		{"frozen", func(_ *testing.T, s *embedded.Server) func() {
			s.Faults().Freeze()
			go s.Faults().Thaw()
			return func() {}
		}},
		{"a restart", func(t *testing.T, s *embedded.Server) func() {
			if err := s.Restart(); err != nil {
				t.Error(err)
			}
			return func() {}
		}},
	} {
		for form, media := range map[string]string{"JSON": runtime.ContentTypeJSON, "protobuf": runtime.ContentTypeProtobuf} {
			t.Run(test.name+" in "+form, func(t *testing.T) {
				t.Parallel()
				server := embedded.Start(t)
				config := server.Config()
				config.ContentType = media
				client, err := kubernetes.NewForConfig(config)
				if err != nil {
					t.Fatal(err)
				}
				write(t, client, 0)
				f := follow(t, client)
				mend := test.wrong(t, server)
				write(t, client, 1)
				mend()
				write(t, client, 2)
				f.check(t, client)
				state := cache.StateOf(f.typed.Informer())
				t.Logf("%d objects at %s, last error: %v", state.Objects, state.ResourceVersion, state.Err)
			})
		}
	}
}

// over waits until rules have acted as often as requested.
func over(t *testing.T, injected ...*embedded.Injection) {
	t.Helper()
	for _, i := range injected {
		select {
		case <-i.Done():
		case <-time.After(2 * time.Minute):
			t.Fatalf("a fault acted only %d times", i.Hits())
		}
	}
}

// write changes objects, in its own round: some are created, some updated, some deleted.
func write(t *testing.T, client kubernetes.Interface, round int) {
	t.Helper()
	maps := client.CoreV1().ConfigMaps("default")
	for i := range 20 {
		name := fmt.Sprintf("%d-%d", round, i)
		again(t, func(ctx context.Context) error {
			_, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
			if apierrors.IsAlreadyExists(err) {
				return nil
			}
			return err
		})
		if round == 0 {
			continue
		}
		before := fmt.Sprintf("%d-%d", round-1, i)
		again(t, func(ctx context.Context) error {
			var err error
			if i%2 == 0 {
				err = maps.Delete(ctx, before, metav1.DeleteOptions{})
			} else {
				body := fmt.Appendf(nil, `{"data":{"round":"%d"}}`, round)
				_, err = maps.Patch(ctx, before, types.MergePatchType, body, metav1.PatchOptions{})
			}
			if apierrors.IsNotFound(err) {
				return nil
			}
			return err
		})
	}
}

// again repeats a call until it succeeds, because connections break.
func again(t *testing.T, do func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for {
		err := do(ctx)
		if err == nil {
			return
		}
		var refused apierrors.APIStatus
		if errors.As(err, &refused) || ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}
