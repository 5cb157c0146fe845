package suite

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// configured is a target that informers can use too.
type configured interface {
	Config() (*rest.Config, error)
}

// Observed returns the step after which an informer is started for what the case writes: the first
// that creates an object in a collection. It is nil if there is none.
func (c *Case) Observed() *Step {
	for _, s := range c.Steps {
		path, query, _ := strings.Cut(s.Request.URL, "?")
		if s.Op != Do || s.Request.Method != http.MethodPost || namesObject(path) || len(s.Answer) == 0 ||
			strings.Contains(query, "dryRun") || strings.HasSuffix(path, "reviews") {
			continue
		}
		if strings.Contains(s.Answer[0], "201 Created") {
			return s
		}
	}
	return nil
}

// observer is an informer that runs beside a case. It stores metadata, which every resource has.
type observer struct {
	client   *rest.RESTClient
	path     string
	ns       string // of the case
	informer cache.SharedIndexInformer
	changed  chan struct{} // has one element after a change
	cancel   context.CancelFunc
	done     sync.WaitGroup
}

const (
	asObject = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
	asList   = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
)

// observe starts an informer for a collection, for a case that has a namespace.
func observe(ctx context.Context, target configured, path, ns string) (*observer, error) {
	config, err := target.Config()
	if err != nil {
		return nil, err
	}
	metas := runtime.NewScheme()
	if err = metav1.AddMetaToScheme(metas); err != nil {
		return nil, err
	}
	metav1.AddToGroupVersion(metas, schema.GroupVersion{Version: "v1"}) // for Status
	config.NegotiatedSerializer = serializer.NewCodecFactory(metas).WithoutConversion()
	config.GroupVersion = &metav1.SchemeGroupVersion
	config.APIPath = "/apis"
	o := &observer{path: path, ns: ns, changed: make(chan struct{}, 1)}
	if o.client, err = rest.RESTClientFor(config); err != nil {
		return nil, err
	}
	o.informer = cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return o.list(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.Watch = true
			return o.client.Get().AbsPath(path).SetHeader("Accept", asObject).
				VersionedParams(&options, metav1.ParameterCodec).Watch(ctx)
		},
	}, &metav1.PartialObjectMetadata{}, 0, cache.Indexers{})
	_, err = o.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { o.tell() },
		UpdateFunc: func(_, _ any) { o.tell() },
		DeleteFunc: func(any) { o.tell() },
	})
	if err != nil {
		return nil, err
	}
	ctx, o.cancel = context.WithCancel(ctx)
	o.done.Go(func() { o.informer.RunWithContext(ctx) })
	return o, nil
}

func (o *observer) tell() {
	select {
	case o.changed <- struct{}{}:
	default:
	}
}

func (o *observer) list(ctx context.Context, options metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
	list := &metav1.PartialObjectMetadataList{}
	err := o.client.Get().AbsPath(o.path).SetHeader("Accept", asList).
		VersionedParams(&options, metav1.ParameterCodec).Do(ctx).Into(list)
	return list, err
}

// check waits until the store equals a fresh list. If the resource can no longer be listed, because
// it was deleted, there is nothing to compare; that may happen before the informer's first list.
func (o *observer) check(ctx context.Context) error {
	for synced := false; !synced; {
		select {
		case <-o.informer.HasSyncedChecker().Done():
			synced = true
		case <-time.After(time.Second):
			if _, err := o.list(ctx, metav1.ListOptions{}); apierrors.IsNotFound(err) {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("the informer has not synced: %w", ctx.Err())
		}
	}
	difference := ""
	for {
		fresh, err := o.list(ctx, metav1.ListOptions{})
		if ctx.Err() != nil {
			return fmt.Errorf("the informer's store is not what a list is (-list +store):\n%s", difference)
		}
		if err != nil {
			return nil //nolint:nilerr // the resource was deleted
		}
		var items []any
		for i := range fresh.Items {
			items = append(items, &fresh.Items[i])
		}
		difference = cmp.Diff(o.identities(items), o.identities(o.informer.GetStore().List()))
		if difference == "" {
			return nil
		}
		// Servers also work in the background, and the informer receives their changes.
		select {
		case <-o.changed:
		case <-ctx.Done():
		}
	}
}

// identities describes the objects that belong to the case, in order, since others appear and
// disappear.
func (o *observer) identities(objects []any) []string {
	identities := []string{}
	for _, object := range objects {
		m := object.(*metav1.PartialObjectMetadata)
		if m.Namespace == o.ns || strings.Contains(m.Name, o.ns) {
			identities = append(identities, fmt.Sprintf("%s/%s %s at %s", m.Namespace, m.Name, m.UID, m.ResourceVersion))
		}
	}
	slices.Sort(identities)
	return identities
}

// stop ends the informer.
func (o *observer) stop() {
	o.cancel()
	o.done.Wait()
	utilnet.CloseIdleConnectionsFor(o.client.Client.Transport)
}
