package corpus

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/listwatch/listwatch/apitest/perturb"
)

// ClientGo runs programs with the informers of client-go.
func ClientGo(c *perturb.Controller, p Program) {
	c.StartClientGo = func(ctx context.Context, config *clientgo.Config) error {
		if p.Leading == Never {
			return runClientGo(ctx, config, p)
		}
		return Elect(ctx, config, p.Leading == Beyond, func(ctx context.Context) error { return runClientGo(ctx, config, p) })
	}
}

func runClientGo(ctx context.Context, config *clientgo.Config, p Program) error {
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(kube, 0)
	configMaps, secrets := factory.Core().V1().ConfigMaps(), factory.Core().V1().Secrets()
	o := p.New(ctx, Machinery{
		ConfigMaps: kube.CoreV1().ConfigMaps("default"), Secrets: kube.CoreV1().Secrets("default"),
		CachedConfigMaps: configMaps.Lister().ConfigMaps("default"), CachedSecrets: secrets.Lister().Secrets("default"),
	})
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	add := func(name string, ok bool) {
		if ok {
			queue.Add(name)
		}
	}
	if _, err := configMaps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(now any) { add(o.Changed(nil, now.(*corev1.ConfigMap))) },
		UpdateFunc: func(old, now any) { add(o.Changed(old.(*corev1.ConfigMap), now.(*corev1.ConfigMap))) },
		DeleteFunc: func(old any) {
			last, _ := lastState(old)
			add(o.Changed(last.(*corev1.ConfigMap), nil))
		},
	}); err != nil {
		return err
	}
	if _, err := secrets.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(now any) { add(o.SecretChanged(now.(*corev1.Secret))) },
		UpdateFunc: func(_, now any) { add(o.SecretChanged(now.(*corev1.Secret))) },
		DeleteFunc: func(old any) {
			last, known := lastState(old)
			add(o.SecretDeleted(last.(*corev1.Secret), known))
		},
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	if !p.Unsynced {
		factory.WaitForCacheSync(ctx.Done())
	}
	return Work(ctx, o, queue)
}

// lastState returns the last known state of a deleted object.
func lastState(object any) (last any, known bool) {
	if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return unknown.Obj, false
	}
	return object, true
}

// Queue is a rate-limited queue of names.
type Queue interface {
	Get() (name string, shutdown bool)
	Done(name string)
	Forget(name string)
	AddRateLimited(name string)
	ShutDown()
}

// Work calls an operator with the names in a queue, until ctx ends.
func Work(ctx context.Context, o *Operator, queue Queue) error {
	if err := o.Begin(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for next(ctx, o, queue) {
		}
	}()
	<-ctx.Done()
	queue.ShutDown()
	<-ended
	return nil
}

func next(ctx context.Context, o *Operator, queue Queue) bool {
	name, shutdown := queue.Get()
	if shutdown || ctx.Err() != nil {
		return false
	}
	defer queue.Done(name)
	if err := o.Reconcile(name); err != nil {
		queue.AddRateLimited(name)
	} else {
		queue.Forget(name)
	}
	return true
}
