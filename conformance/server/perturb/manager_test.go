package perturb_test

import (
	"context"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
)

// managed runs programs with a manager of controller-runtime.
func managed(c *perturb.Controller, p corpus.Program) {
	c.StartClientGo = func(ctx context.Context, config *clientgo.Config) error {
		if p.Leading != corpus.Beyond {
			return runManager(ctx, config, p)
		}
		// A manager ends when it loses its lease, so that it is another elector's.
		return corpus.Elect(ctx, config, true, func(ctx context.Context) error { return runManager(ctx, config, p) })
	}
}

func runManager(ctx context.Context, user *clientgo.Config, p corpus.Program) error {
	kube, err := kubernetes.NewForConfig(user)
	if err != nil {
		return err
	}
	duration, deadline, retry, shared, unique := corpus.LeaseDuration, corpus.RenewDeadline, corpus.RetryPeriod, true, true
	mgr, err := manager.New(user, manager.Options{
		Logger:         logr.Discard(),
		Metrics:        metricsserver.Options{BindAddress: "0"},
		Cache:          cache.Options{DefaultUnsafeDisableDeepCopy: &shared},
		Controller:     config.Controller{SkipNameValidation: &unique},
		LeaderElection: p.Leading == corpus.Term, LeaderElectionID: "leader", LeaderElectionNamespace: "default",
		LeaseDuration: &duration, RenewDeadline: &deadline, RetryPeriod: &retry,
	})
	if err != nil {
		return err
	}
	o := p.New(ctx, corpus.Machinery{
		ConfigMaps: kube.CoreV1().ConfigMaps("default"), Secrets: kube.CoreV1().Secrets("default"),
		CachedConfigMaps: reader[*corev1.ConfigMap, *corev1.ConfigMapList]{
			ctx, mgr.GetCache(), func() *corev1.ConfigMap { return &corev1.ConfigMap{} }, func() *corev1.ConfigMapList { return &corev1.ConfigMapList{} },
			func(l *corev1.ConfigMapList) []*corev1.ConfigMap { return pointers(l.Items) },
		},
		CachedSecrets: reader[*corev1.Secret, *corev1.SecretList]{
			ctx, mgr.GetCache(), func() *corev1.Secret { return &corev1.Secret{} }, func() *corev1.SecretList { return &corev1.SecretList{} },
			func(l *corev1.SecretList) []*corev1.Secret { return pointers(l.Items) },
		},
	})
	begun := make(chan struct{})
	if err = mgr.Add(manager.RunnableFunc(func(context.Context) error {
		defer close(begun)
		return o.Begin()
	})); err != nil {
		return err
	}
	c, err := controller.New("corpus", mgr, controller.Options{Reconciler: reconcile.Func(func(ctx context.Context, r ctrl.Request) (ctrl.Result, error) {
		select {
		case <-begun:
			return ctrl.Result{}, o.Reconcile(r.Name)
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		}
	})})
	if err != nil {
		return err
	}
	if err := c.Watch(source.Kind(mgr.GetCache(), &corev1.ConfigMap{}, handler.TypedFuncs[*corev1.ConfigMap, ctrl.Request]{
		CreateFunc: func(_ context.Context, e event.TypedCreateEvent[*corev1.ConfigMap], q queue) {
			add(q)(o.Changed(nil, e.Object))
		},
		UpdateFunc: func(_ context.Context, e event.TypedUpdateEvent[*corev1.ConfigMap], q queue) {
			add(q)(o.Changed(e.ObjectOld, e.ObjectNew))
		},
		DeleteFunc: func(_ context.Context, e event.TypedDeleteEvent[*corev1.ConfigMap], q queue) {
			add(q)(o.Changed(e.Object, nil))
		},
	})); err != nil {
		return err
	}
	if err := c.Watch(source.Kind(mgr.GetCache(), &corev1.Secret{}, handler.TypedFuncs[*corev1.Secret, ctrl.Request]{
		CreateFunc: func(_ context.Context, e event.TypedCreateEvent[*corev1.Secret], q queue) {
			add(q)(o.SecretChanged(e.Object))
		},
		UpdateFunc: func(_ context.Context, e event.TypedUpdateEvent[*corev1.Secret], q queue) {
			add(q)(o.SecretChanged(e.ObjectNew))
		},
		DeleteFunc: func(_ context.Context, e event.TypedDeleteEvent[*corev1.Secret], q queue) {
			add(q)(o.SecretDeleted(e.Object, !e.DeleteStateUnknown))
		},
	})); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

type queue = workqueue.TypedRateLimitingInterface[ctrl.Request]

// add queues the name of a config map.
func add(q queue) func(name string, ok bool) {
	return func(name string, ok bool) {
		if ok {
			q.Add(ctrl.Request{NamespacedName: types.NamespacedName{Namespace: "default", Name: name}})
		}
	}
}

// reader reads objects of namespace default from a manager's cache.
type reader[T client.Object, L client.ObjectList] struct {
	ctx     context.Context
	cache   client.Reader
	object  func() T
	list    func() L
	objects func(L) []T
}

func (r reader[T, L]) Get(name string) (T, error) {
	object := r.object()
	return object, r.cache.Get(r.ctx, types.NamespacedName{Namespace: "default", Name: name}, object)
}

func (r reader[T, L]) List(selector labels.Selector) ([]T, error) {
	list := r.list()
	err := r.cache.List(r.ctx, list, client.InNamespace("default"), client.MatchingLabelsSelector{Selector: selector})
	return r.objects(list), err
}

func pointers[T any](items []T) []*T {
	all := make([]*T, len(items))
	for i := range items {
		all[i] = &items[i]
	}
	return all
}
