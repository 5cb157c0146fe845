package perturb_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	clientgo "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// operator is a process of a small controller: config maps are what users request, secrets are what it makes of them.
// The label "of" of a secret names its config map.
type operator struct {
	ctx      context.Context
	kube     kubernetes.Interface
	requests corelisters.ConfigMapNamespaceLister // cached
	secrets  corelisters.SecretNamespaceLister    // cached
	queue    workqueue.TypedRateLimitingInterface[string]
	memory   map[string]string // of the process
	names    sync.Map          // what handlers and reconciliations remember

	reconcile    func(o *operator, name string) error
	begin        func(o *operator) error                       // before the first reconciliation
	onRequest    func(o *operator, old, now *corev1.ConfigMap) // in place of queueing the name
	onSecretGone func(o *operator, object any)                 // in place of queueing the config map
	withoutSync  bool
	deaf         bool // secrets' events are ignored
}

// process returns the Start of a controller that reconciles config maps by name.
func process(reconcile func(o *operator, name string) error, change ...func(*operator)) func(context.Context, *clientgo.Config) error {
	return func(ctx context.Context, config *clientgo.Config) error {
		kube, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		o := &operator{ctx: ctx, kube: kube, reconcile: reconcile, memory: map[string]string{}}
		for _, c := range change {
			c(o)
		}
		return o.run()
	}
}

func (o *operator) run() error {
	factory := informers.NewSharedInformerFactory(o.kube, 0)
	o.requests = factory.Core().V1().ConfigMaps().Lister().ConfigMaps("default")
	o.secrets = factory.Core().V1().Secrets().Lister().Secrets("default")
	o.queue = workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	changed := func(old, now any) {
		was, _ := old.(*corev1.ConfigMap)
		is, _ := now.(*corev1.ConfigMap)
		if o.onRequest != nil {
			o.onRequest(o, was, is)
		} else if is != nil {
			o.queue.Add(is.Name)
		} else {
			o.queue.Add(was.Name)
		}
	}
	of := func(object any) {
		if secret, ok := object.(*corev1.Secret); ok && !o.deaf && secret.Labels["of"] != "" {
			o.queue.Add(secret.Labels["of"])
		}
	}
	_, _ = factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(now any) { changed(nil, now) },
		UpdateFunc: changed,
		DeleteFunc: func(old any) { changed(last(old), nil) },
	})
	_, _ = factory.Core().V1().Secrets().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    of,
		UpdateFunc: func(_, now any) { of(now) },
		DeleteFunc: func(old any) {
			if o.onSecretGone != nil {
				o.onSecretGone(o, old)
			} else {
				of(last(old))
			}
		},
	})
	factory.Start(o.ctx.Done())
	defer factory.Shutdown()
	if !o.withoutSync {
		factory.WaitForCacheSync(o.ctx.Done())
	}
	if o.begin != nil {
		if err := o.begin(o); err != nil {
			return err
		}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for o.next() {
		}
	}()
	<-o.ctx.Done()
	o.queue.ShutDown()
	<-ended
	return nil
}

func (o *operator) next() bool {
	name, shutdown := o.queue.Get()
	if shutdown || o.ctx.Err() != nil {
		return false
	}
	defer o.queue.Done(name)
	if err := o.reconcile(o, name); err != nil {
		o.queue.AddRateLimited(name)
	} else {
		o.queue.Forget(name)
	}
	return true
}

// last returns the last known state of a deleted object.
func last(object any) any {
	if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return unknown.Obj
	}
	return object
}

// request returns a cached config map to be served, or nil.
func (o *operator) request(name string) *corev1.ConfigMap {
	cm, err := o.requests.Get(name)
	if err != nil || cm.Labels["request"] == "" || cm.DeletionTimestamp != nil {
		return nil
	}
	return cm.DeepCopy()
}

// made returns the cached secrets of a config map.
func (o *operator) made(name string) []*corev1.Secret {
	list, _ := o.secrets.List(labels.SelectorFromSet(labels.Set{"of": name}))
	return list
}

// create creates a secret; a name that ends in "-" is completed by the server.
func (o *operator) create(cm *corev1.ConfigMap, name string, change ...func(*corev1.Secret)) error {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"of": cm.Name}}}
	if name[len(name)-1] == '-' {
		secret.Name, secret.GenerateName = "", name
	}
	for _, c := range change {
		c(secret)
	}
	_, err := o.kube.CoreV1().Secrets("default").Create(o.ctx, secret, metav1.CreateOptions{})
	return err
}

// owned makes a secret the config map's.
func owned(cm *corev1.ConfigMap) func(*corev1.Secret) {
	return func(s *corev1.Secret) {
		s.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: cm.Name, UID: cm.UID}}
	}
}

func (o *operator) delete(name string) error {
	return o.kube.CoreV1().Secrets("default").Delete(o.ctx, name, metav1.DeleteOptions{})
}

func (o *operator) update(cm *corev1.ConfigMap) error {
	_, err := o.kube.CoreV1().ConfigMaps("default").Update(o.ctx, cm, metav1.UpdateOptions{})
	return err
}

// mark sets an annotation of a config map, unless it is set.
func (o *operator) mark(cm *corev1.ConfigMap, key, value string) error {
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

// step is what a user does with config maps.
type step func(ctx context.Context, kube kubernetes.Interface) error

func steps(all ...step) func(context.Context, *clientgo.Config) error {
	return func(ctx context.Context, config *clientgo.Config) error {
		kube, err := kubernetes.NewForConfig(config)
		for _, s := range all {
			if err == nil {
				err = s(ctx, kube)
			}
		}
		return err
	}
}

// ask creates a config map.
func ask(name string, change ...func(*corev1.ConfigMap)) step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"request": "yes"}}, Data: map[string]string{"size": "2"}}
		for _, c := range change {
			c(cm)
		}
		_, err := kube.CoreV1().ConfigMaps("default").Create(ctx, cm, metav1.CreateOptions{})
		return err
	}
}

func sized(n int) func(*corev1.ConfigMap) {
	return func(cm *corev1.ConfigMap) { cm.Data["size"] = fmt.Sprint(n) }
}

// modify changes the data of config map a.
func modify(key, value string) step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		patch := fmt.Sprintf(`{"data":{%q:%q}}`, key, value)
		_, err := kube.CoreV1().ConfigMaps("default").Patch(ctx, "a", "application/merge-patch+json", []byte(patch), metav1.PatchOptions{})
		return err
	}
}

// withdraw deletes config map a.
func withdraw() step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		return kube.CoreV1().ConfigMaps("default").Delete(ctx, "a", metav1.DeleteOptions{})
	}
}

// lose deletes a secret.
func lose(name string) step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		return missing(kube.CoreV1().Secrets("default").Delete(ctx, name, metav1.DeleteOptions{}))
	}
}
