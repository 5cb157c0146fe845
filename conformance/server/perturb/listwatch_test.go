package perturb_test

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	"github.com/listwatch/listwatch/runtime/cache"
	runtimeinformers "github.com/listwatch/listwatch/runtime/informers"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// listwatch runs programs with the informers of this project.
func listwatch(options runtimeinformers.Options) corpus.Runtime {
	return func(c *perturb.Controller, p corpus.Program) {
		c.Start = func(ctx context.Context, config *rest.Config) error {
			kube, err := kubernetes.NewForConfig(config)
			if err != nil {
				return err
			}
			run := func(ctx context.Context) error { return runListwatch(ctx, kube, options, p) }
			if p.Leading == corpus.Never {
				return run(ctx)
			}
			return elect(ctx, kube, p, run)
		}
	}
}

func runListwatch(ctx context.Context, kube kubernetes.Interface, options runtimeinformers.Options, p corpus.Program) error {
	factory := informers.NewSharedInformerFactoryWithOptions(kube, 0,
		informers.WithTypeOptions(&corev1.ConfigMap{}, options), informers.WithTypeOptions(&corev1.Secret{}, options))
	configMaps, secrets := factory.Core().V1().ConfigMaps(), factory.Core().V1().Secrets()
	o := p.New(ctx, corpus.Machinery{
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
	return corpus.Work(ctx, o, queue)
}

// lastState returns the last known state of a deleted object.
func lastState(object any) (last any, known bool) {
	if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return unknown.Obj, false
	}
	return object, true
}

// elect runs a program while it leads.
func elect(ctx context.Context, kube kubernetes.Interface, p corpus.Program, run func(context.Context) error) error {
	ended := make(chan error, 1)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "leader"},
			Client:     kube.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: corpus.Identity()},
		},
		LeaseDuration: corpus.LeaseDuration, RenewDeadline: corpus.RenewDeadline, RetryPeriod: corpus.RetryPeriod,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(term context.Context) {
				if p.Leading == corpus.Beyond {
					term = ctx
				}
				ended <- run(term)
			},
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return err
	}
	elector.Run(ctx)
	if !elector.IsLeader() && ctx.Err() != nil && len(ended) == 0 {
		return nil // it may never have led
	}
	if err := <-ended; err != nil {
		return err
	}
	return corpus.ErrLost
}
