package apitest

import (
	"errors"
	"fmt"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/store"
)

// Option changes how a server is started.
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

// Resource says how a kind of a scheme is served, where that is not what the kind's name and
// fields suggest. Kubernetes' own kinds are known.
type Resource = builtin.Resource

// WithScheme serves the kinds of a scheme instead of Kubernetes' own, and tells what is to
// be known of kinds that are not Kubernetes'. The scheme must not change any more. Without
// Kubernetes' core kinds in it there are no namespaces, and so all that is asked for exist.
func WithScheme(scheme *runtime.Scheme, resources ...Resource) Option {
	return func(o *options) {
		o.scheme = scheme
		o.resources = append(o.resources, resources...)
	}
}

// WithCRDs serves what manifests define. A path names a file, a folder (with all that is in
// it and below it), or both by a pattern of filepath.Match. Files end in .yaml, .yml or
// .json, unless they are named, and hold one or more documents, of which only
// CustomResourceDefinitions count. A path that leads to no definition is an error, and so is
// a definition with a field that there is not, such as one that is misspelt.
func WithCRDs(paths ...string) Option {
	return func(o *options) { o.crdPaths = append(o.crdPaths, paths...) }
}

// WithCRDObjects serves what definitions define, which are not changed.
func WithCRDObjects(crds ...*apiextensions.CustomResourceDefinition) Option {
	return func(o *options) { o.crds = append(o.crds, crds...) }
}

// WithObjects creates objects, in their order, before the server answers: with their status,
// if they have one. Their kinds must be served, and their namespaces exist or be created
// before them. An object must carry its apiVersion and kind or be of a type in the scheme.
func WithObjects(objects ...runtime.Object) Option {
	return func(o *options) { o.objects = append(o.objects, objects...) }
}

// WithPlainHTTP serves HTTP without TLS: HTTP/1.1, and HTTP/2 for clients that know of it.
// Who shows no token may do everything then, for clients of client-go show none that they
// have from a kubeconfig.
func WithPlainHTTP() Option {
	return func(o *options) { o.plainHTTP = true }
}

// WithHistory keeps the last n changes of each resource for watches and for lists at older
// resource versions. What is older is answered with 410 Gone.
func WithHistory(n int) Option {
	return func(o *options) { o.store.History = n }
}

// WithBookmarkInterval sets the time between the bookmarks of watches that ask for them,
// which is a minute by default.
func WithBookmarkInterval(d time.Duration) Option {
	return func(o *options) { o.store.BookmarkInterval = d }
}

// WithAuthorizer decides what users may do who are not in group system:masters, as that of
// Config is. Without it the roles and bindings decide that the server has, as far as the
// scheme has kinds of rbac.authorization.k8s.io/v1; if it has none, all may do everything
// who have a token.
func WithAuthorizer(a authorizer.UnconditionalAuthorizer) Option {
	return func(o *options) { o.authorizer = a }
}
