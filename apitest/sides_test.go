package apitest_test

import (
	"context"
	"crypto/tls"
	"testing"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// server is what a server of this package and one of package embedded have in common. Types differ by package where
// it has functions instead of methods.
type server interface {
	URL() string
	Config() *rest.Config
	ConfigFor(name string, groups ...string) *rest.Config
	Certificate(name string, groups ...string) (*apitest.Certificate, error)
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
	DropWatches(matches ...apitest.Match) int
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
	Requests(filters ...apitest.RequestFilter) apitest.Requests
	Dropped() int
	Reset()
	Stop()
}

// side is a started server.
type side struct {
	server
	faults   faults
	inject   func(apitest.Rule) injection
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
	pace                   time.Duration
	serving                *tls.Certificate
}

// sides are the packages whose servers are compared.
var sides = []struct {
	name  string
	start func(*testing.T, options) *side
}{{"embedded", startInTest}, {"apitest", startOutside}}

func startInTest(t *testing.T, o options) *side {
	opts := []embedded.Option{
		embedded.WithCRDs(o.crds...), embedded.WithManifests(o.manifests...), embedded.WithManifestText(o.texts...), embedded.WithHistory(o.history),
		embedded.WithPace(o.pace),
	}
	if !o.start.IsZero() {
		opts = append(opts, embedded.WithTime(o.start))
	}
	if o.collect {
		opts = append(opts, embedded.WithControllers(controllers.GarbageCollector()))
	}
	if o.webhooks != "" {
		opts = append(opts, embedded.WithWebhooks(o.webhooks, o.ca))
	}
	if o.serving != nil {
		opts = append(opts, embedded.WithServingCertificate(*o.serving, o.ca))
	}
	srv := embedded.Start(t, opts...)
	return &side{
		server: srv,
		faults: srv.Faults(),
		inject: func(r apitest.Rule) injection { return srv.Faults().Inject(r) },
		record: func() recording { return srv.Record() },
		snapshot: func() func() error {
			taken := srv.Snapshot()
			return func() error { return srv.Restore(taken) }
		},
	}
}

func startOutside(t *testing.T, o options) *side {
	opts := []apitest.Option{
		apitest.WithCRDs(o.crds...), apitest.WithManifests(o.manifests...), apitest.WithManifestText(o.texts...), apitest.WithHistory(o.history),
		apitest.WithPace(o.pace),
	}
	if !o.start.IsZero() {
		opts = append(opts, apitest.WithTime(o.start))
	}
	if o.collect {
		opts = append(opts, apitest.WithControllers(apitest.GarbageCollector))
	}
	if o.webhooks != "" {
		opts = append(opts, apitest.WithWebhooks(o.webhooks, o.ca))
	}
	if o.serving != nil {
		opts = append(opts, apitest.WithServingCertificate(*o.serving, o.ca))
	}
	srv := apitest.Start(t, opts...)
	return &side{
		server: srv,
		faults: srv.Faults(),
		inject: func(r apitest.Rule) injection { return srv.Faults().Inject(r) },
		record: func() recording { return srv.Record() },
		snapshot: func() func() error {
			taken := srv.Snapshot()
			return func() error { return srv.Restore(taken) }
		},
	}
}
