package soak_test

import (
	"cmp"
	"context"
	"flag"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/runtime/soak"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/rest"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// crds is the directory of the CRDs of the written objects.
const crds = "../../../testdata/crds"

var (
	objects   = flag.Int("soak.objects", 200, "objects before the informers begin")
	events    = flag.Int("soak.events", 1_500, "changes to make")
	writers   = flag.Int("soak.writers", 4, "writers at once")
	disturbed = flag.Int("soak.disturbed", 0, "times that the server is disturbed; 0 for each of the ways that it can be")
	limit     = flag.Duration("soak.limit", 5*time.Minute, "when to give up")
)

// run runs the test on a server with a number of disturbances.
func run(t *testing.T, server soak.Server, ways int) {
	ctx, cancel := context.WithTimeout(t.Context(), *limit)
	defer cancel()
	report, err := soak.Run(ctx, server, soak.Load{Objects: *objects, Events: *events, Writers: *writers, Disturbed: cmp.Or(*disturbed, ways)})
	if report != nil {
		t.Log(report)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestOnTestServer(t *testing.T) {
	server := embedded.Start(t, embedded.WithCRDs(crds))
	client, err := versioned.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	run(t, &testServer{Server: server, client: client}, 4)
}

// testServer disturbs a server in memory.
type testServer struct {
	*embedded.Server
	client versioned.Interface
	times  int
}

func (s *testServer) Config() *rest.Config { return s.Server.Config() }

func (s *testServer) Disturb(ctx context.Context) (string, error) {
	s.times++
	switch s.times % 4 {
	case 1:
		s.Faults().DropWatches()
		return "watches dropped", nil
	case 2:
		s.Faults().CutConnections()
		return "connections cut", nil
	case 3:
		return "history expired", s.unseen(ctx, func() error {
			s.Faults().ExpireHistory()
			return nil
		})
	default:
		return "restarted", s.unseen(ctx, s.Restart)
	}
}

// unseen calls do while there are no watches and after a change that none has received.
func (s *testServer) unseen(ctx context.Context, do func() error) error {
	defer s.Faults().Inject(embedded.Rule{
		Match: embedded.Match{Verb: "watch"},
		Error: apierrors.NewTooManyRequestsError("watches are prevented"),
	}).Remove()
	s.Faults().DropWatches()
	book := &libraryv1.Book{ObjectMeta: metav1.ObjectMeta{GenerateName: "unseen-"}, Spec: libraryv1.BookSpec{Title: "Unseen", Pages: 1}}
	if _, err := s.client.LibraryV1().Books(metav1.NamespaceDefault).Create(ctx, book, metav1.CreateOptions{}); err != nil {
		return err
	}
	return do()
}
