package main

import (
	"context"
	"fmt"
	"sync"
	"time"

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

// form is how a cache has its Pods, or Services. Client-go has them whole, or some fields by a transform.
type form struct {
	text, shared, packed, services bool

	fields *fields // nil are all
	view   view

	unhandled bool // there is no handler
}

// view is a view of Pods.
type view int

const (
	noView view = iota
	podView
	operatorView
)

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
	HasSynced() bool
}

// overHTTP returns a start that runs an informer on a path of the server until its handler has been called for every object.
func overHTTP(path string, f form) func(int, contest.Env) (contest.Run, error) {
	return func(contender int, env contest.Env) (contest.Run, error) {
		return func(n int, o *contest.Observer) (any, error) {
			i, err := f.start(contender, fmt.Sprint(env.URL, path, "/", n), n, func(obj any) { o.See(obj.(metav1.Object)) })
			if err != nil {
				return nil, err
			}
			return i, nil
		}, nil
	}
}

// start returns an informer that has called its handler, if it has one, for n objects.
func (f form) start(contender int, host string, n int, see func(obj any)) (informer, error) {
	i, err := []func(form, string) (informer, error){newTheirs, newOurs}[contender](f, host)
	if err != nil {
		return nil, err
	}
	if f.unhandled {
		go i.run(context.Background())
		for !i.HasSynced() {
			time.Sleep(time.Millisecond)
		}
		return i, nil
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
	if f.fields != nil {
		options = append(options, theirs.WithTransform(f.fields.cut))
	}
	core := theirs.NewSharedInformerFactoryWithOptions(client, 0, options...).Core().V1()
	if f.services {
		return theirInformer{core.Services().Informer()}, nil
	}
	return theirInformer{core.Pods().Informer()}, nil
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
	if f.view != noView {
		views, err := versioned.NewForConfig(config)
		if err != nil {
			return nil, err
		}
		core := externalversions.NewSharedInformerFactory(views, 0).Core().V1()
		if f.view == operatorView {
			return ourInformer{core.OperatorPods().Informer()}, nil
		}
		return ourInformer{core.PodViews().Informer()}, nil
	}
	options := internalinterfaces.InformerOptions{Share: f.shared}
	if f.packed {
		options.Packed = packed.S2
	}
	if f.fields != nil {
		options.Transform = cache.Keep(f.fields.paths...)
	}
	core := informers.NewSharedInformerFactoryWithOptions(client, 0,
		informers.WithTypeOptions(&corev1.Pod{}, options), informers.WithTypeOptions(&corev1.Service{}, options)).Core().V1()
	if f.services {
		return ourInformer{core.Services().Informer()}, nil
	}
	return ourInformer{core.Pods().Informer()}, nil
}

func (i ourInformer) see(add func(obj any)) error {
	_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: add})
	return err
}

func (i ourInformer) run(ctx context.Context) { i.RunWithContext(ctx) }
