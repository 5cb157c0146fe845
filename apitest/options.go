package apitest

import (
	"errors"
	"fmt"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/store"
)

// Option changes how a server is started. Options that take lists add up; of others that
// are given twice, the last one counts.
type Option func(*options)

type options struct {
	scheme     *runtime.Scheme
	resources  []builtin.Resource
	crdPaths   []string
	crds       []*apiextensions.CustomResourceDefinition
	objects    []runtime.Object
	plainHTTP  bool
	authorizer authorizer.UnconditionalAuthorizer
	store      store.Options
}

func newOptions(opts []Option) *options {
	o := &options{scheme: scheme.Scheme}
	for _, opt := range opts {
		opt(o)
	}
	return o
}

// check finds what a server cannot be started with.
func (o *options) check() error {
	if o.scheme == nil {
		return errors.New("WithScheme: the scheme is nil")
	}
	for i, object := range o.objects {
		if object == nil {
			return fmt.Errorf("WithObjects: object %d is nil", i+1)
		}
	}
	return nil
}

// Resource tells [WithScheme] how a kind is served that is not one of Kubernetes' own. What it
// leaves empty is guessed from the name and the fields of the Go type.
type Resource struct {
	Kind          schema.GroupVersionKind
	Plural        string // name in URLs; the default is what meta.UnsafeGuessKindToResource returns
	ClusterScoped bool   // the default is objects in namespaces
	ShortNames    []string
	NoStatus      bool // no status subresource, although the type has a field Status
}

// WithScheme serves the kinds of a scheme. The default is the scheme of client-go, which has
// Kubernetes' own kinds; a scheme given here replaces it, so add those that you need to it.
// Your own kinds have no schema when they are served this way: whatever the Go type can hold is
// valid. The scheme must not change any more. If it lacks Kubernetes' core kinds, there are no objects for
// namespaces, and every namespace counts as existing.
func WithScheme(scheme *runtime.Scheme, resources ...Resource) Option {
	return func(o *options) {
		o.scheme = scheme
		for _, r := range resources {
			o.resources = append(o.resources, builtin.Resource(r))
		}
	}
}

// WithCRDs serves the custom resources that manifests define. A path is a file, a folder, which
// is read with all folders in it, or a pattern of filepath.Match for either. It is relative to
// the working directory, which in a test is the folder of the tested package. In folders and
// patterns, files count that end in .yaml, .yml or .json. A file may hold several documents;
// those that are not CustomResourceDefinitions are skipped. It is an error if a path leads to no
// definition, or if a definition has an unknown field, such as one that is misspelt.
func WithCRDs(paths ...string) Option {
	return func(o *options) { o.crdPaths = append(o.crdPaths, paths...) }
}

// WithCRDObjects serves the custom resources that crds define. It does not change crds.
func WithCRDObjects(crds ...*apiextensions.CustomResourceDefinition) Option {
	return func(o *options) { o.crds = append(o.crds, crds...) }
}

// WithObjects creates objects, with their status, in the order given, before the server starts to
// answer. It does not change them. An object must have its apiVersion and kind set, or be of a
// type that is in the scheme; either way a definition or the scheme must serve its kind. Its
// namespace must exist, so give a Namespace before what is in it; without one it is "default".
func WithObjects(objects ...runtime.Object) Option {
	return func(o *options) { o.objects = append(o.objects, objects...) }
}

// WithPlainHTTP serves HTTP without TLS: HTTP/1.1, and HTTP/2 for clients that start with it.
// Requests without a token then have all rights, because client-go does not send the token of a
// kubeconfig over plain HTTP.
func WithPlainHTTP() Option {
	return func(o *options) { o.plainHTTP = true }
}

// WithHistory keeps the last n changes of each resource, for watches and lists that go back to an
// older resource version. Requests for what is older get 410 Gone. The default, also for n <= 0,
// is 10,000; it is fewer if those take more than 256 MiB.
func WithHistory(n int) Option {
	return func(o *options) { o.store.History = n }
}

// WithBookmarkInterval sets how often a watch that asks for bookmarks gets one. The default, also
// for d <= 0, is a minute.
func WithBookmarkInterval(d time.Duration) Option {
	return func(o *options) { o.store.BookmarkInterval = d }
}

// WithAuthorizer decides what users may do. It is not asked about members of group
// system:masters, such as the user of [Server.Config], who may do everything. By default the
// server's roles and bindings decide; or, if the scheme has no rbac.authorization.k8s.io/v1, every
// user with a token may do everything. The authorizer must be safe for concurrent use, and return
// when its context ends.
func WithAuthorizer(a authorizer.UnconditionalAuthorizer) Option {
	return func(o *options) { o.authorizer = a }
}
