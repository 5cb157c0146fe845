package corpus

import (
	"context"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest/perturb"
)

// Client sends requests for objects of one kind in namespace default to the server. The typed clients of client-go
// and of package kubernetes are such clients.
type Client[T, L any] interface {
	Create(ctx context.Context, object T, opts metav1.CreateOptions) (T, error)
	Update(ctx context.Context, object T, opts metav1.UpdateOptions) (T, error)
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
	Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error)
	List(ctx context.Context, opts metav1.ListOptions) (L, error)
	Patch(ctx context.Context, name string, kind types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (T, error)
}

// Cache reads objects of namespace default from an informer's cache, as listers do. They are not copies.
type Cache[T any] interface {
	Get(name string) (T, error)
	List(selector labels.Selector) ([]T, error)
}

// Machinery is what a runtime gives to an operator.
type Machinery struct {
	ConfigMaps       Client[*corev1.ConfigMap, *corev1.ConfigMapList]
	Secrets          Client[*corev1.Secret, *corev1.SecretList]
	CachedConfigMaps Cache[*corev1.ConfigMap]
	CachedSecrets    Cache[*corev1.Secret]
}

// Operator is a process of a small controller: config maps are what users request, secrets are what it makes of them.
// The label "of" of a secret names its config map. Its methods Changed, SecretChanged and SecretDeleted are called by
// event handlers, and return whether a name is to be queued; Reconcile is called by one worker.
type Operator struct {
	Machinery
	ctx    context.Context
	memory map[string]string // of the process
	names  sync.Map          // what handlers and reconciliations remember

	reconcile    func(o *Operator, name string) error
	begin        func(o *Operator) error
	onRequest    func(o *Operator, old, now *corev1.ConfigMap) bool
	onSecretGone func(known bool) bool
	review       func(o *Operator, cm *corev1.ConfigMap) (map[string]string, error)
	deaf         bool // secrets' events are ignored
}

// New returns an operator for a process that ends with ctx.
func (p Program) New(ctx context.Context, m Machinery) *Operator {
	o := &Operator{Machinery: m, ctx: ctx, memory: map[string]string{}, reconcile: p.reconcile}
	for _, change := range p.changes {
		change(o)
	}
	return o
}

// Begin is called once, before the first reconciliation and when the caches have synced, unless the program is Unsynced.
func (o *Operator) Begin() error {
	if o.review != nil {
		go func() { _ = perturb.Serve(o.ctx, o) }() // without it, creations fail
	}
	if o.begin == nil {
		return nil
	}
	return o.begin(o)
}

// Reconcile serves the config map with a name.
func (o *Operator) Reconcile(name string) error { return o.reconcile(o, name) }

// Changed handles a config map that was created, with old nil, changed, or deleted, with now nil.
func (o *Operator) Changed(old, now *corev1.ConfigMap) (name string, queue bool) {
	if queue = o.onRequest == nil || o.onRequest(o, old, now); now == nil {
		return old.Name, queue
	}
	return now.Name, queue
}

// SecretChanged handles a secret that was created or changed.
func (o *Operator) SecretChanged(secret *corev1.Secret) (name string, queue bool) {
	return secret.Labels["of"], !o.deaf && secret.Labels["of"] != ""
}

// SecretDeleted handles a secret that was deleted. Its last state is not known if a list has shown that it is missing.
func (o *Operator) SecretDeleted(secret *corev1.Secret, known bool) (name string, queue bool) {
	if o.onSecretGone != nil && !o.onSecretGone(known) {
		return "", false
	}
	return o.SecretChanged(secret)
}

// request returns a cached config map to be served, or nil.
func (o *Operator) request(name string) *corev1.ConfigMap {
	cm, err := o.CachedConfigMaps.Get(name)
	if err != nil || cm.Labels["request"] == "" || cm.DeletionTimestamp != nil {
		return nil
	}
	return cm.DeepCopy()
}

// made returns the cached secrets of a config map.
func (o *Operator) made(name string) []*corev1.Secret {
	list, _ := o.CachedSecrets.List(labels.SelectorFromSet(labels.Set{"of": name}))
	return list
}

// create creates a secret; a name that ends in "-" is completed by the server.
func (o *Operator) create(cm *corev1.ConfigMap, name string, change ...func(*corev1.Secret)) error {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"of": cm.Name}}}
	if name[len(name)-1] == '-' {
		secret.Name, secret.GenerateName = "", name
	}
	for _, c := range change {
		c(secret)
	}
	_, err := o.Secrets.Create(o.ctx, secret, metav1.CreateOptions{})
	return err
}

// owned makes a secret the config map's.
func owned(cm *corev1.ConfigMap) func(*corev1.Secret) {
	return func(s *corev1.Secret) {
		s.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: cm.Name, UID: cm.UID}}
	}
}

func (o *Operator) delete(name string) error {
	return o.Secrets.Delete(o.ctx, name, metav1.DeleteOptions{})
}

func (o *Operator) update(cm *corev1.ConfigMap) error {
	_, err := o.ConfigMaps.Update(o.ctx, cm, metav1.UpdateOptions{})
	return err
}

// mark sets an annotation of a config map, unless it is set.
func (o *Operator) mark(cm *corev1.ConfigMap, key, value string) error {
	if cm.Annotations[key] == value {
		return nil
	}
	metav1.SetMetaDataAnnotation(&cm.ObjectMeta, key, value)
	return o.update(cm)
}

func exists(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func missing(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func size(cm *corev1.ConfigMap) int {
	n, _ := strconv.Atoi(cm.Data["size"])
	return n
}
