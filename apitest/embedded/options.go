package embedded

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/hooks"
	"github.com/listwatch/listwatch/apitest/internal/store"
)

// Option configures a server. Options that take lists add up; of other options that are given twice, the last
// one wins.
type Option func(*options)

type options struct {
	scheme     *runtime.Scheme
	resources  []builtin.Resource
	crdPaths   []string
	crds       []*apiextensions.CustomResourceDefinition
	objects    []runtime.Object
	manifests  []manifest
	plainHTTP  bool
	address    string
	memory     bool // no network
	serving    *certificate
	clientCA   []byte
	webhooks   *webhooks
	authorizer authorizer.UnconditionalAuthorizer
	store      store.Options
	start      *time.Time

	webhookTransport            func(hooks.Hook, http.RoundTripper) http.RoundTripper // nil if not wrapped
	controllers                 []Controller
	withoutPlugins, withPlugins []string // names of admission plugins
}

func newOptions(opts []Option) *options {
	o := &options{scheme: scheme.Scheme}
	for _, opt := range opts {
		opt(o)
	}
	return o
}

// check returns an error if a server cannot be started with o.
func (o *options) check() error {
	if o.scheme == nil {
		return errors.New("WithScheme: the scheme is nil")
	}
	for i, object := range o.objects {
		if object == nil {
			return fmt.Errorf("WithObjects: object %d is nil", i+1)
		}
	}
	if slices.Contains(o.controllers, nil) {
		return errors.New("WithControllers: a controller is nil")
	}
	if o.plainHTTP && (o.serving != nil || len(o.clientCA) > 0) {
		return errors.New("WithPlainHTTP: certificates need TLS; remove one of the options")
	}
	return nil
}

// certificate returns the certificate of the server, or nil for plain HTTP.
func (o *options) certificate() (*certificate, error) {
	switch {
	case o.serving != nil:
		return o.serving, nil
	case o.plainHTTP:
		return nil, nil
	}
	return newCertificate()
}

// Resource describes to [WithScheme] how to serve a kind other than Kubernetes' own. Empty fields are guessed
// from the name and the fields of the Go type.
type Resource struct {
	Kind          schema.GroupVersionKind
	Plural        string // name in URLs; the default is what meta.UnsafeGuessKindToResource returns
	ClusterScoped bool   // the default is objects in namespaces
	ShortNames    []string
	NoStatus      bool // no status subresource, although the type has a field Status
}

// WithScheme serves the kinds of a scheme. The default is the scheme of client-go, which contains Kubernetes'
// own kinds; scheme replaces it, so add the kinds that you need to it. Kinds of your own that are served this
// way have no schema: any value of the Go type is valid. The scheme must not be modified afterwards. If it
// lacks Kubernetes' core kinds, there are no namespace objects, and every namespace is considered to exist.
func WithScheme(scheme *runtime.Scheme, resources ...Resource) Option {
	return func(o *options) {
		o.scheme = scheme
		for _, r := range resources {
			o.resources = append(o.resources, builtin.Resource(r))
		}
	}
}

// WithCRDs serves the custom resources of CRDs in manifests. A path is a file, a directory, which is read
// recursively, or a pattern of filepath.Match for either. It is relative to the working directory, which in a
// test is the directory of the tested package. In directories and patterns, only files that end in .yaml, .yml
// or .json are read. A file may contain several documents; those that are not CustomResourceDefinitions are
// skipped. A path without any CRD is an error, and so is a CRD with an unknown field, for instance a misspelt
// one.
func WithCRDs(paths ...string) Option {
	return func(o *options) { o.crdPaths = append(o.crdPaths, paths...) }
}

// WithCRDObjects serves the custom resources of crds. It does not modify crds.
func WithCRDObjects(crds ...*apiextensions.CustomResourceDefinition) Option {
	return func(o *options) { o.crds = append(o.crds, crds...) }
}

// WithObjects creates objects, with their status, in the given order, before the server starts to respond. It
// does not modify them. An object must have its apiVersion and kind set, or be of a type in the scheme; in both
// cases a CRD or the scheme must serve its kind. Its namespace must exist, so list a Namespace before its
// objects; the default is "default".
func WithObjects(objects ...runtime.Object) Option {
	return func(o *options) { o.objects = append(o.objects, objects...) }
}

// WithPlainHTTP serves HTTP without TLS: HTTP/1.1, and HTTP/2 for clients that start with it. Requests without
// a token then have all permissions, because client-go does not send the token of a kubeconfig over plain HTTP.
func WithPlainHTTP() Option {
	return func(o *options) { o.plainHTTP = true }
}

// WithAddress sets the host and port at which the server listens, such as "127.0.0.1:6443". The default is a free
// port of 127.0.0.1, and so is port 0 of a host. The server's certificate is valid for the loopback addresses;
// [WithServingCertificate] sets another.
func WithAddress(address string) Option {
	return func(o *options) { o.address = address }
}

// WithServingCertificate sets the certificate of the server, and the authorities by which clients verify it, in
// PEM. The default is signed by an authority of this process.
func WithServingCertificate(pair tls.Certificate, ca []byte) Option {
	return func(o *options) { o.serving = &certificate{ca: ca, pair: pair} }
}

// WithClientCA accepts client certificates that the authorities in ca, which is PEM, have signed, besides those
// of [Server.Certificate]: the common name is the user, and the organizations are groups.
func WithClientCA(ca []byte) Option {
	return func(o *options) { o.clientCA = append(o.clientCA, ca...) }
}

// WithHistory keeps at most the last n writes of each resource, for watches and lists at an older resource
// version. Requests for older versions get 410 Gone. By default, also for n <= 0, the writes of the last five
// minutes are kept, or fewer if they take more than 256 MiB: the size of the objects that they replaced or
// deleted, and half a kilobyte for each write.
func WithHistory(n int) Option {
	return func(o *options) { o.store.History = n }
}

// WithPace sets how long each write takes before its response and the events of watches, as writes to etcd do. The
// default, also for d <= 0, is no time at all: a request that writes twice, such as the deletion of a pod without a
// node, then sends both events within microseconds, and a controller does not see the first state. A millisecond is
// what etcd takes on a fast disk; docs/pace.md says when it matters. Writes do not wait for each other, and reads are
// not delayed.
func WithPace(d time.Duration) Option {
	return func(o *options) { o.store.Pace = d }
}

// WithBookmarkInterval sets the interval of bookmarks in watches that request them. The default, also for d <=
// 0, is a minute.
func WithBookmarkInterval(d time.Duration) Option {
	return func(o *options) { o.store.BookmarkInterval = d }
}

// WithAuthorizer sets the authorizer of users. It is not called for members of group system:masters, such as
// the user of [Server.Config], who may do everything. By default the server's roles and bindings decide; or, if
// the scheme has no rbac.authorization.k8s.io/v1, every user with a token may do everything. The authorizer
// must be safe for concurrent use, and return when its context ends.
func WithAuthorizer(a authorizer.UnconditionalAuthorizer) Option {
	return func(o *options) { o.authorizer = a }
}
