package host

import (
	"crypto/tls"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/internal/control"
)

// stand are the controllers of package controllers by name.
var stand = map[string]func() embedded.Controller{
	"Namespaces":       controllers.Namespaces,
	"ServiceAccounts":  controllers.ServiceAccounts,
	"GarbageCollector": controllers.GarbageCollector,
	"ResourceQuotas":   controllers.ResourceQuotas,
	"Deployments":      controllers.Deployments,
	"ReplicaSets":      controllers.ReplicaSets,
	"StatefulSets":     controllers.StatefulSets,
	"Jobs":             controllers.Jobs,
	"Scheduler":        controllers.Scheduler,
	"Kubelet":          func() embedded.Controller { return controllers.Kubelet(nil) },
}

// convert returns the options of package embedded.
func convert(o control.Options) ([]embedded.Option, error) {
	crds, err := definitions(o.CRDs)
	if err != nil {
		return nil, err
	}
	options := []embedded.Option{
		embedded.WithCRDs(o.CRDPaths...), embedded.WithCRDObjects(crds...), embedded.WithClientCA(o.ClientCA),
		embedded.WithHistory(o.History), embedded.WithBookmarkInterval(o.BookmarkInterval), embedded.WithAddress(o.Address),
		embedded.WithPace(o.Pace),
	}
	for _, object := range o.Objects {
		made, err := decode(object)
		if err != nil {
			return nil, fmt.Errorf("WithObjects: %w", err)
		}
		options = append(options, embedded.WithObjects(made))
	}
	for _, m := range o.Manifests {
		if m.Path == "" && m.Text != "" {
			options = append(options, embedded.WithManifestText(m.Text))
		} else {
			options = append(options, embedded.WithManifests(m.Path))
		}
	}
	for _, name := range o.Controllers {
		controller, ok := stand[name]
		if !ok {
			return nil, fmt.Errorf("WithControllers: unknown controller %q", name)
		}
		options = append(options, embedded.WithControllers(controller()))
	}
	if o.PlainHTTP {
		options = append(options, embedded.WithPlainHTTP())
	}
	if o.Serving != nil {
		pair, err := tls.X509KeyPair(o.Serving.Cert, o.Serving.Key)
		if err != nil {
			return nil, fmt.Errorf("WithServingCertificate: %w", err)
		}
		options = append(options, embedded.WithServingCertificate(pair, o.Serving.CA))
	}
	if o.Webhooks != nil {
		options = append(options, embedded.WithWebhooks(o.Webhooks.URL, o.Webhooks.CA))
	}
	if o.Time != nil {
		options = append(options, embedded.WithTime(*o.Time))
	}
	return options, nil
}

// decode returns an object with its kind, which is otherwise that of its Go type, if it is a type of k8s.io/api.
func decode(object control.Object) (*unstructured.Unstructured, error) {
	made := &unstructured.Unstructured{}
	if object.Type == "" {
		return made, made.UnmarshalJSON(object.Content)
	}
	if err := json.Unmarshal(object.Content, &made.Object); err != nil {
		return nil, err
	}
	gvk, ok := kindOf(object.Type)
	if !ok {
		return nil, fmt.Errorf("create a %s %q: set its apiVersion and kind", object.Type, made.GetName())
	}
	made.SetGroupVersionKind(gvk)
	return made, nil
}

// kindOf returns the kind of a Go type in the scheme of client-go.
func kindOf(name string) (schema.GroupVersionKind, bool) {
	for gvk, known := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version != runtime.APIVersionInternal && control.TypeName(known) == name && known.Name() == gvk.Kind {
			return gvk, true
		}
	}
	return schema.GroupVersionKind{}, false
}
