package controllerruntime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// longestWait is how long a read waits for a state of the server.
const longestWait = 10 * time.Second

// NewClient is a [client.NewClientFunc]: it returns a client whose reads of the cache see the client's own writes.
//
//	ctrl.NewManager(config, ctrl.Options{NewCache: controllerruntime.NewCache, NewClient: controllerruntime.NewClient})
//
// A read that begins after a write has returned waits until the cache shows the write, with any number of
// namespaces, and in each form of the kind. Writes are Create, Update, Patch and Apply, also of subresources,
// Delete and DeleteAllOf; the creation of a subresource, such as an eviction, is not waited for. Get waits for writes to its
// object, List for those to its namespace. A read waits up to 10 seconds, or until its context is done; then its error is a timeout in the
// sense of apierrors.IsTimeout, with what the cache lacks and why. Writes do not wait, and create no informers.
//
// client.DisableReadYourWritesConsistency has the effect that controller-runtime documents, and so has
// Cache.EnableReadYourWritesConsistency in options if it is false; true is the default here. If options have a cache,
// it must be of [NewCache], without cache.Options.NewInformer: otherwise the result is an error, unless consistency is
// disabled.
//
// With a cache of [NewShardedCache], reads wait only for writes of objects whose slots the replica has, and writes with the
// context of a reconcile of [NewShardedReconciler] fail, with an error of package shards, once the slot of its object is lost.
//
// An object of which the cache keeps only some fields, since its transform is cache.Keep of package runtime/cache, is not
// written: Create, Update and Apply, also of the status, return a codec.ErrCut of package runtime/codec, and so does a
// Patch that was computed from it and sets a list of which it has not all. Other patches are right.
func NewClient(config *rest.Config, options client.Options) (client.Client, error) {
	c, err := newConsistentClient(config, options)
	if err != nil {
		return nil, err
	}
	return wholeClient{c}, nil
}

// newConsistentClient is NewClient with writes of any object.
func newConsistentClient(config *rest.Config, options client.Options) (client.Client, error) {
	var err error
	if options.HTTPClient, err = checkedClient(config, options); err != nil {
		return nil, err
	}
	if options.Cache == nil || options.Cache.Reader == nil || !isTrue(options.Cache.EnableReadYourWritesConsistency, true) {
		return client.New(config, options)
	}
	e, ok := options.Cache.Reader.(*engine)
	if !ok {
		return nil, fmt.Errorf("cache of the client is a %T; set NewCache to controllerruntime.NewCache, without NewInformer in the cache's options", options.Cache.Reader)
	}
	cached := *options.Cache
	cached.Reader, cached.EnableReadYourWritesConsistency = consistentReader{e}, nil
	options.Cache = &cached
	if options.HTTPClient == nil {
		if options.HTTPClient, err = rest.HTTPClientFor(config); err != nil {
			return nil, fmt.Errorf("could not create HTTP client from config: %w", err)
		}
	}
	options.HTTPClient = reportDeleted(options.HTTPClient)
	upstream, err := client.New(config, options)
	if err != nil {
		return nil, err
	}
	return &consistentClient{Client: upstream, cache: e, dry: isTrue(options.DryRun, false)}, nil
}

// checkedClient returns the HTTP client of options, which checks writes if their cache is a replica's; nil if they have none
// and nothing has to be checked.
func checkedClient(config *rest.Config, options client.Options) (*http.Client, error) {
	if options.Cache == nil {
		return options.HTTPClient, nil
	}
	e, ok := options.Cache.Reader.(*engine)
	if !ok || e.shards == nil {
		return options.HTTPClient, nil
	}
	if options.HTTPClient == nil {
		var err error
		if options.HTTPClient, err = rest.HTTPClientFor(config); err != nil {
			return nil, fmt.Errorf("could not create HTTP client from config: %w", err)
		}
	}
	checked := *options.HTTPClient
	next := checked.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	checked.Transport = e.shards.ring.Transport(next) // below limits of requests: nothing waits after the check
	return &checked, nil
}

// consistentReader reads a cache after it shows the client's writes.
type consistentReader struct{ *engine }

// Get implements [client.Reader].
func (r consistentReader) Get(ctx context.Context, name client.ObjectKey, out client.Object, opts ...client.GetOption) error {
	var options client.GetOptions
	if !options.ApplyOptions(opts).DisableReadYourWritesConsistency {
		if err := r.waitForWrites(ctx, out, name); err != nil {
			return err
		}
	}
	return r.engine.Get(ctx, name, out, opts...)
}

// List implements [client.Reader].
func (r consistentReader) List(ctx context.Context, out client.ObjectList, opts ...client.ListOption) error {
	var options client.ListOptions
	if !options.ApplyOptions(opts).DisableReadYourWritesConsistency {
		if err := r.waitForWrites(ctx, out, client.ObjectKey{Namespace: options.Namespace}); err != nil {
			return err
		}
	}
	return r.engine.List(ctx, out, opts...)
}

// waitForWrites waits until an informer shows the writes to an object or, without a name, to those of a namespace.
func (e *engine) waitForWrites(ctx context.Context, obj runtime.Object, name client.ObjectKey) error {
	k, err := e.keyOf(obj)
	if err != nil {
		return err
	}
	n, err := e.reader(k.item(), name.Namespace, name.Name == "")
	switch {
	case errors.Is(err, errUnknownNamespace):
		return nil // the read is an error
	case err != nil:
		return err
	case !n.namespaced:
		name.Namespace = ""
	}
	wanted := n.all()
	if name.Namespace != "" || name.Name != "" {
		wanted = n.in(name.Namespace)
	}
	if err := wanted.wait(ctx); err != nil {
		return err
	}
	return n.bounded(ctx, func(ctx context.Context) error { return n.writes.Wait(ctx, name.Namespace, name.Name) })
}

// bounded waits for a state of the server, up to longestWait.
func (n *entry) bounded(ctx context.Context, wait func(context.Context) error) error {
	bounded, cancel := context.WithTimeoutCause(ctx, longestWait, fmt.Errorf("waited for %v", longestWait))
	defer cancel()
	err := wait(bounded)
	if err != nil && bounded.Err() != nil {
		return &notSynced{key: n.key, cause: err}
	}
	return err
}

// written notes the result of a write for reads of the informers of its kind.
func (e *engine) written(kind schema.GroupKind, obj metav1.Object) {
	for _, n := range e.ofKind(kind) {
		n.writes.Written(obj)
	}
}

// deleted notes a deletion; obj is what is known of the object.
func (e *engine) deleted(kind schema.GroupKind, obj metav1.Object) {
	for _, n := range e.ofKind(kind) {
		n.writes.Deleted(obj)
	}
}

// ofKind returns the informers of a kind, in all versions and forms.
func (e *engine) ofKind(kind schema.GroupKind) (out []*entry) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for k, n := range e.informers {
		if k.gvk.GroupKind() == kind {
			out = append(out, n)
		}
	}
	return out
}

// consistentClient notes what it writes.
type consistentClient struct {
	client.Client
	cache *engine
	dry   bool // writes change nothing
}

// note notes the result of a write, unless it failed.
func (c *consistentClient) note(err error, obj client.Object, disabled bool, dryRun []string) error {
	if err == nil && !disabled && !c.isDry(dryRun) {
		if gvk, unknown := c.GroupVersionKindFor(obj); unknown == nil {
			c.cache.written(gvk.GroupKind(), obj)
		}
	}
	return err
}

func (c *consistentClient) isDry(dryRun []string) bool {
	return c.dry || slices.Contains(dryRun, metav1.DryRunAll)
}

// noteApplied applies a configuration and notes the result, which is in it. The response of a subresource may be of another
// kind, such as a Scale, whose metadata are the object's.
func (c *consistentClient) noteApplied(applied runtime.ApplyConfiguration, disabled bool, dryRun []string, apply func() error) error {
	before, unknown := contentOf(applied)
	var kind schema.GroupKind
	if unknown == nil {
		kind = before.GroupVersionKind().GroupKind()
	}
	err := apply()
	if err != nil || unknown != nil || disabled || c.isDry(dryRun) {
		return err
	}
	if obj, unknown := contentOf(applied); unknown == nil {
		c.cache.written(kind, obj)
	}
	return nil
}

// contentOf returns the content of a configuration. The caller must not modify it.
func contentOf(applied runtime.ApplyConfiguration) (*unstructured.Unstructured, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(applied)
	return &unstructured.Unstructured{Object: content}, err
}

func (c *consistentClient) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	options := (&client.CreateOptions{}).ApplyOptions(opts)
	return c.note(c.Client.Create(ctx, obj, opts...), obj, options.DisableReadYourWritesConsistency, options.DryRun)
}

func (c *consistentClient) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	options := (&client.UpdateOptions{}).ApplyOptions(opts)
	return c.note(c.Client.Update(ctx, obj, opts...), obj, options.DisableReadYourWritesConsistency, options.DryRun)
}

func (c *consistentClient) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	options := (&client.PatchOptions{}).ApplyOptions(opts)
	return c.note(c.Client.Patch(ctx, obj, patch, opts...), obj, options.DisableReadYourWritesConsistency, options.DryRun)
}

func (c *consistentClient) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...client.ApplyOption) error {
	options := (&client.ApplyOptions{}).ApplyOptions(opts)
	return c.noteApplied(obj, options.DisableReadYourWritesConsistency, options.DryRun, func() error {
		return c.Client.Apply(ctx, obj, opts...)
	})
}

func (c *consistentClient) Delete(ctx context.Context, obj client.Object, opts ...client.DeleteOption) error {
	options := (&client.DeleteOptions{}).ApplyOptions(opts)
	return c.noteDeleted(ctx, obj, options.DisableReadYourWritesConsistency, options.DryRun, func(ctx context.Context) error {
		return c.Client.Delete(ctx, obj, opts...)
	})
}

func (c *consistentClient) DeleteAllOf(ctx context.Context, obj client.Object, opts ...client.DeleteAllOfOption) error {
	options := (&client.DeleteAllOfOptions{}).ApplyOptions(opts)
	return c.noteDeleted(ctx, obj, options.DeleteOptions.DisableReadYourWritesConsistency, options.DryRun, func(ctx context.Context) error {
		return c.Client.DeleteAllOf(ctx, obj, opts...)
	})
}

// noteDeleted deletes obj, or objects of its kind, and notes what the server reports as deleted.
func (c *consistentClient) noteDeleted(ctx context.Context, obj client.Object, disabled bool, dryRun []string, del func(context.Context) error) error {
	if disabled || c.isDry(dryRun) {
		return del(ctx)
	}
	gvk, err := c.GroupVersionKindFor(obj)
	if err != nil {
		return err
	}
	if len(c.cache.ofKind(gvk.GroupKind())) == 0 {
		return del(ctx)
	}
	ctx, deleted := deletionOf(ctx, obj)
	if err := del(ctx); err != nil {
		return err
	}
	for i := range deleted.objects {
		c.cache.deleted(gvk.GroupKind(), &deleted.objects[i])
	}
	return nil
}

// Status implements [client.StatusClient].
func (c *consistentClient) Status() client.SubResourceWriter { return c.SubResource("status") }

// SubResource implements [client.SubResourceClientConstructor].
func (c *consistentClient) SubResource(name string) client.SubResourceClient {
	return &consistentSubresource{SubResourceClient: c.Client.SubResource(name), client: c}
}

// consistentSubresource notes what it writes.
type consistentSubresource struct {
	client.SubResourceClient
	client *consistentClient
}

func (s *consistentSubresource) Update(ctx context.Context, obj client.Object, opts ...client.SubResourceUpdateOption) error {
	options := (&client.SubResourceUpdateOptions{}).ApplyOptions(opts)
	err := s.SubResourceClient.Update(ctx, obj, opts...)
	return s.client.note(err, withBody(obj, options.SubResourceBody), options.DisableReadYourWritesConsistency, options.DryRun)
}

func (s *consistentSubresource) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	options := (&client.SubResourcePatchOptions{}).ApplyOptions(opts)
	err := s.SubResourceClient.Patch(ctx, obj, patch, opts...)
	return s.client.note(err, withBody(obj, options.SubResourceBody), options.DisableReadYourWritesConsistency, options.DryRun)
}

func (s *consistentSubresource) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...client.SubResourceApplyOption) error {
	options := (&client.SubResourceApplyOptions{}).ApplyOpts(opts)
	return s.client.noteApplied(obj, options.DisableReadYourWritesConsistency, options.DryRun, func() error {
		return s.SubResourceClient.Apply(ctx, obj, opts...)
	})
}

// withBody returns the object of a written subresource in its new state: its metadata are those of the body, if it
// has one, such as a Scale.
func withBody(obj, body client.Object) client.Object {
	if body == nil {
		return obj
	}
	out := obj.DeepCopyObject().(client.Object)
	out.SetResourceVersion(body.GetResourceVersion())
	return out
}
