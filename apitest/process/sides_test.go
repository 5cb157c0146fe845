package process_test

import (
	"context"
	"testing"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/process"
	"github.com/listwatch/listwatch/runtime/rest"
)

// server is what a server of package process and one of package apitest have in common. Types differ by package where
// it has functions instead of methods.
type server interface {
	URL() string
	Config() *rest.Config
	ConfigFor(name string, groups ...string) *rest.Config
	Certificate(name string, groups ...string) (*process.Certificate, error)
	Kubeconfig() ([]byte, error)
	KubeconfigFor(name string, groups ...string) ([]byte, error)
	WriteKubeconfig(path string) error
	Apply(ctx context.Context, crds ...*apiextensions.CustomResourceDefinition) error
	Now() time.Time
	Advance(d time.Duration)
	Restart() error
	Stop() error
}

type faults interface {
	DropWatches(matches ...process.Match) int
	CutConnections() int
	ExpireHistory()
	Freeze()
	Thaw()
}

type injection interface {
	Hits() int
	Done() <-chan struct{}
	Remove()
}

type recording interface {
	Requests(filters ...process.RequestFilter) process.Requests
	Dropped() int
	Reset()
	Stop()
}

// side is a started server.
type side struct {
	server
	faults   faults
	inject   func(process.Rule) injection
	record   func() recording
	snapshot func() (restore func() error)
}

// options are those that both packages have.
type options struct {
	crds, manifests, texts []string
	start                  time.Time
	collect                bool // run the garbage collector
	webhooks               string
	ca                     []byte
	history                int
}

// sides are the packages whose servers are compared.
var sides = []struct {
	name  string
	start func(*testing.T, options) *side
}{{"apitest", startInTest}, {"process", startOutside}}

func startInTest(t *testing.T, o options) *side {
	opts := []apitest.Option{
		apitest.WithCRDs(o.crds...), apitest.WithManifests(o.manifests...), apitest.WithManifestText(o.texts...), apitest.WithHistory(o.history),
	}
	if !o.start.IsZero() {
		opts = append(opts, apitest.WithTime(o.start))
	}
	if o.collect {
		opts = append(opts, apitest.WithControllers(controllers.GarbageCollector()))
	}
	if o.webhooks != "" {
		opts = append(opts, apitest.WithWebhooks(o.webhooks, o.ca))
	}
	srv := apitest.Start(t, opts...)
	return &side{
		server: srv,
		faults: srv.Faults(),
		inject: func(r process.Rule) injection { return srv.Faults().Inject(r) },
		record: func() recording { return srv.Record() },
		snapshot: func() func() error {
			taken := srv.Snapshot()
			return func() error { return srv.Restore(taken) }
		},
	}
}

func startOutside(t *testing.T, o options) *side {
	opts := []process.Option{
		process.WithCRDs(o.crds...), process.WithManifests(o.manifests...), process.WithManifestText(o.texts...), process.WithHistory(o.history),
	}
	if !o.start.IsZero() {
		opts = append(opts, process.WithTime(o.start))
	}
	if o.collect {
		opts = append(opts, process.WithControllers(process.GarbageCollector))
	}
	if o.webhooks != "" {
		opts = append(opts, process.WithWebhooks(o.webhooks, o.ca))
	}
	srv := process.Start(t, opts...)
	return &side{
		server: srv,
		faults: srv.Faults(),
		inject: func(r process.Rule) injection { return srv.Faults().Inject(r) },
		record: func() recording { return srv.Record() },
		snapshot: func() func() error {
			taken := srv.Snapshot()
			return func() error { return srv.Restore(taken) }
		},
	}
}
