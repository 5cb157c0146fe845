package apitest

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/apitest/internal/control"
)

// Option configures a server. Options that take lists add up; of other options that are given twice, the last
// one wins.
type Option func(*options)

type options struct {
	control.Options
	errs []error // of invalid options
}

// WithCRDs serves the custom resources of CRDs in manifests. A path is a file, a directory, which is read
// recursively, or a pattern of filepath.Match for either. It is relative to the working directory, which in a
// test is the directory of the tested package. In directories and patterns, only files that end in .yaml, .yml
// or .json are read. A file may contain several documents; those that are not CustomResourceDefinitions are
// skipped. A path without any CRD is an error, and so is a CRD with an unknown field, for instance a misspelt
// one.
func WithCRDs(paths ...string) Option {
	return func(o *options) {
		for _, path := range paths {
			o.CRDPaths = append(o.CRDPaths, o.absolute("WithCRDs", path))
		}
	}
}

// WithCRDObjects serves the custom resources of crds. It does not modify crds.
func WithCRDObjects(crds ...*apiextensions.CustomResourceDefinition) Option {
	return func(o *options) {
		texts, err := encodeDefinitions(crds)
		if err != nil {
			o.errs = append(o.errs, fmt.Errorf("WithCRDObjects: %w", err))
		}
		o.CRDs = append(o.CRDs, texts...)
	}
}

// encodeDefinitions returns CRDs as JSON.
func encodeDefinitions(crds []*apiextensions.CustomResourceDefinition) ([]json.RawMessage, error) {
	if slices.Contains(crds, nil) {
		return nil, errors.New("a definition is nil")
	}
	var texts []json.RawMessage
	for _, crd := range crds {
		text, err := json.Marshal(crd)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// WithObjects creates objects, with their status, in the given order, before the server starts to respond. It
// does not modify them. An object must have its apiVersion and kind set, or be of a type of k8s.io/api; a CRD or the
// server must have its kind. Its namespace must exist, so list a Namespace before its objects; the default is
// "default".
func WithObjects(objects ...runtime.Object) Option {
	return func(o *options) {
		for i, object := range objects {
			encoded, err := encodeObject(object)
			if err != nil {
				o.errs = append(o.errs, fmt.Errorf("WithObjects: object %d %w", i+1, err))
			}
			o.Objects = append(o.Objects, encoded)
		}
	}
}

func encodeObject(object runtime.Object) (control.Object, error) {
	if object == nil {
		return control.Object{}, errors.New("is nil")
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return control.Object{}, fmt.Errorf("cannot be encoded: %w", err)
	}
	encoded := control.Object{}
	if object.GetObjectKind().GroupVersionKind().Empty() {
		encoded.Type = control.TypeName(reflect.TypeOf(object).Elem())
	}
	encoded.Content, err = json.Marshal(content)
	return encoded, err
}

// WithManifests creates the objects in manifests, after those of [WithObjects]: CRDs first, then namespaces, then
// other objects in the order of the paths and of the documents in their files, and at the end the configurations of
// webhooks, which would otherwise concern the other objects. Paths are as for [WithCRDs]. A file may contain
// several documents, and lists, such as a List or a RoleList. A namespace that exists already is left as it is; other
// objects must be new.
//
// A folder with files of kustomize is an error: pass the output of "kustomize build" to [WithManifestText].
func WithManifests(paths ...string) Option {
	return func(o *options) {
		for _, path := range paths {
			o.Manifests = append(o.Manifests, control.Manifest{Path: o.absolute("WithManifests", path)})
		}
	}
}

// WithManifestText creates the objects in texts, which are YAML or JSON, such as the output of "kustomize build" or
// "helm template". It is like [WithManifests] otherwise.
func WithManifestText(texts ...string) Option {
	return func(o *options) {
		for _, text := range texts {
			o.Manifests = append(o.Manifests, control.Manifest{Text: text})
		}
	}
}

// absolute returns a path as it is for a process with another working directory.
func (o *options) absolute(option, path string) string {
	if path == "" {
		o.errs = append(o.errs, fmt.Errorf("%s: a path is empty", option))
		return ""
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		o.errs = append(o.errs, fmt.Errorf("%s: %w", option, err))
	}
	return whole
}

// WithWebhooks sends the requests for webhooks to a server of the test: in the webhook configurations and CRDs of
// the options, the services of webhooks are replaced by url, which is a root such as https://127.0.0.1:9443,
// followed by the service's path. The path of conversion webhooks is /convert by default. The server must have a
// certificate that an authority in ca, which is PEM, has signed, such as that of [NewCertificate]. Webhooks that have
// an URL already, and those that clients create later, are called where they say.
func WithWebhooks(url string, ca []byte) Option {
	return func(o *options) {
		o.Webhooks = &control.Webhooks{URL: strings.TrimSuffix(url, "/"), CA: slices.Clone(ca)}
	}
}

// WithPlainHTTP serves HTTP without TLS: HTTP/1.1, and HTTP/2 for clients that start with it. Requests without
// a token then have all permissions, because client-go does not send the token of a kubeconfig over plain HTTP.
func WithPlainHTTP() Option {
	return func(o *options) { o.PlainHTTP = true }
}

// WithAddress sets the host and port at which the server listens, such as "127.0.0.1:6443". The default is a free
// port of 127.0.0.1, and so is port 0 of a host. The server's certificate is valid for the loopback addresses;
// [WithServingCertificate] sets another.
func WithAddress(address string) Option {
	return func(o *options) { o.Address = address }
}

// WithServingCertificate sets the certificate of the server, and the authorities by which clients verify it, in
// PEM. The default is signed by an authority of the program. The key of pair must be one that
// x509.MarshalPKCS8PrivateKey encodes.
func WithServingCertificate(pair tls.Certificate, ca []byte) Option {
	return func(o *options) {
		encoded, err := encodePair(pair)
		if err != nil {
			o.errs = append(o.errs, fmt.Errorf("WithServingCertificate: %w", err))
		}
		encoded.CA = slices.Clone(ca)
		o.Serving = &encoded
	}
}

// WithClientCA accepts client certificates that the authorities in ca, which is PEM, have signed, besides those
// of [Server.Certificate]: the common name is the user, and the organizations are groups.
func WithClientCA(ca []byte) Option {
	return func(o *options) { o.ClientCA = append(o.ClientCA, ca...) }
}

// WithHistory keeps at most the last n writes of each resource, for watches and lists at an older resource
// version. Requests for older versions get 410 Gone. By default, also for n <= 0, the writes of the last five
// minutes are kept, or fewer if they take more than 256 MiB: the size of the objects that they replaced or
// deleted, and half a kilobyte for each write.
func WithHistory(n int) Option {
	return func(o *options) { o.History = n }
}

// WithPace sets how long each write takes before its response and the events of watches, as writes to etcd do. The
// default, also for d <= 0, is no time at all: a request that writes twice, such as the deletion of a pod without a
// node, then sends both events within microseconds, and a controller does not see the first state. A millisecond is
// what etcd takes on a fast disk; docs/pace.md says when it matters. Writes do not wait for each other, and reads are
// not delayed.
func WithPace(d time.Duration) Option {
	return func(o *options) { o.Pace = d }
}

// WithBookmarkInterval sets the interval of bookmarks in watches that request them. The default, also for d <=
// 0, is a minute.
func WithBookmarkInterval(d time.Duration) Option {
	return func(o *options) { o.BookmarkInterval = d }
}

// WithTime makes the server's clock stand still at start, until [Server.Advance] moves it. By default it runs with
// the system's clock. It governs what package embedded says at its function of this name.
func WithTime(start time.Time) Option {
	return func(o *options) { o.Time = &start }
}

// Controller is a stand-in for a controller of Kubernetes, which package controllers describes.
type Controller string

// The controllers, by the names of their functions in package controllers.
const (
	Namespaces       Controller = "Namespaces"
	ServiceAccounts  Controller = "ServiceAccounts"
	GarbageCollector Controller = "GarbageCollector"
	ResourceQuotas   Controller = "ResourceQuotas"
	Deployments      Controller = "Deployments"
	ReplicaSets      Controller = "ReplicaSets"
	StatefulSets     Controller = "StatefulSets"
	Jobs             Controller = "Jobs"
	Scheduler        Controller = "Scheduler"
	Kubelet          Controller = "Kubelet"
)

// AllControllers returns all controllers.
func AllControllers() []Controller {
	return []Controller{
		Namespaces, ServiceAccounts, GarbageCollector, ResourceQuotas,
		Deployments, ReplicaSets, StatefulSets, Jobs, Scheduler, Kubelet,
	}
}

// WithControllers runs controllers synchronously: the response to a write is sent when all that follows from the
// write has been done, so a test need not wait. By default, no controllers run.
func WithControllers(controllers ...Controller) Option {
	return func(o *options) {
		for _, c := range controllers {
			o.Controllers = append(o.Controllers, string(c))
		}
	}
}
