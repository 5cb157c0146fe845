package main

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	theirs "k8s.io/client-go/informers"
	theirclient "k8s.io/client-go/kubernetes"
	theirrest "k8s.io/client-go/rest"
	theircache "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/bench/clients/views/clientset/versioned"
	"github.com/listwatch/listwatch/bench/clients/views/informers/externalversions"
	"github.com/listwatch/listwatch/bench/internal/contest"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/kubernetes/informers/internalinterfaces"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/packed"
	"github.com/listwatch/listwatch/runtime/rest"
)

// form is how a cache has its Pods. Client-go has them whole, but what is of fields or a view by a transform.
type form struct {
	text, shared, packed, fields, view bool
}

func (f form) contentType() string {
	if f.text {
		return apiruntime.ContentTypeJSON
	}
	return apiruntime.ContentTypeProtobuf
}

// informer is what both have.
type informer interface {
	see(add func(obj any)) error
	run(ctx context.Context)
}

// overHTTP returns a start that runs an informer on the server until its handler has been called for every object.
func overHTTP(f form) func(int, contest.Env) (contest.Run, error) {
	return func(contender int, env contest.Env) (contest.Run, error) {
		return func(n int, o *contest.Observer) (any, error) {
			i, err := f.start(contender, fmt.Sprint(env.URL, "/sync/", n), n, func(obj any) { o.See(obj.(metav1.Object)) })
			if err != nil {
				return nil, err
			}
			return i, nil
		}, nil
	}
}

// start returns an informer that has called its handler for n objects.
func (f form) start(contender int, host string, n int, see func(obj any)) (informer, error) {
	i, err := []func(form, string) (informer, error){newTheirs, newOurs}[contender](f, host)
	if err != nil {
		return nil, err
	}
	var all sync.WaitGroup
	all.Add(1)
	told := 0
	if err = i.see(func(obj any) {
		see(obj)
		if told++; told == n {
			all.Done()
		}
	}); err != nil {
		return nil, err
	}
	go i.run(context.Background()) // until the process ends
	all.Wait()
	return i, nil
}

// theirInformer is client-go's.
type theirInformer struct{ theircache.SharedIndexInformer }

func newTheirs(f form, host string) (informer, error) {
	client, err := theirclient.NewForConfig(&theirrest.Config{Host: host, QPS: -1, ContentConfig: theirrest.ContentConfig{ContentType: f.contentType()}})
	if err != nil {
		return nil, err
	}
	var options []theirs.SharedInformerOption
	if f.fields || f.view {
		options = append(options, theirs.WithTransform(cut))
	}
	return theirInformer{theirs.NewSharedInformerFactoryWithOptions(client, 0, options...).Core().V1().Pods().Informer()}, nil
}

func (i theirInformer) see(add func(obj any)) error {
	_, err := i.AddEventHandler(theircache.ResourceEventHandlerFuncs{AddFunc: add})
	return err
}

func (i theirInformer) run(ctx context.Context) { i.RunWithContext(ctx) }

// ourInformer is ours.
type ourInformer struct{ cache.SharedIndexInformer }

func newOurs(f form, host string) (informer, error) {
	config := &rest.Config{Host: host, ContentConfig: rest.ContentConfig{ContentType: f.contentType()}}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	if f.view {
		views, err := versioned.NewForConfig(config)
		if err != nil {
			return nil, err
		}
		return ourInformer{externalversions.NewSharedInformerFactory(views, 0).Core().V1().PodViews().Informer()}, nil
	}
	options := internalinterfaces.InformerOptions{Share: f.shared}
	if f.packed {
		options.Packed = packed.S2
	}
	if f.fields {
		options.Transform = cache.Keep(paths...)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTypeOptions(&corev1.Pod{}, options))
	return ourInformer{factory.Core().V1().Pods().Informer()}, nil
}

func (i ourInformer) see(add func(obj any)) error {
	_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: add})
	return err
}

func (i ourInformer) run(ctx context.Context) { i.RunWithContext(ctx) }
