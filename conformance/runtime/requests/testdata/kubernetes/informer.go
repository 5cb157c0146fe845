package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"example.test/requests/drive"
	clientset "example.test/requests/kubernetes/clientset/versioned"
	informers "example.test/requests/kubernetes/informers/externalversions"
	informersappsv1 "example.test/requests/kubernetes/informers/externalversions/apps/v1"
	informerscorev1 "example.test/requests/kubernetes/informers/externalversions/core/v1"
	"example.test/requests/kubernetes/informers/externalversions/internalinterfaces"
	listersappsv1 "example.test/requests/kubernetes/listers/apps/v1"
	"example.test/requests/transcript"
)

func init() {
	scenarios = append(scenarios, typedHandlers, constructors, conversions, options, resync, unsynced, lateInformer)
}

var (
	deployments = drive.Collection{
		Path: "/apis/apps/v1/deployments", Resource: appsv1.SchemeGroupVersion.WithResource("deployments"),
		Kind: appsv1.SchemeGroupVersion.WithKind("Deployment"), Namespaced: true,
	}
	nodes = drive.Collection{
		Path: "/api/v1/nodes", Resource: corev1.SchemeGroupVersion.WithResource("nodes"),
		Kind: corev1.SchemeGroupVersion.WithKind("Node"),
	}
)

// world is a server with a deployment in each of two namespaces, and a node.
type world struct {
	*drive.Server
	client *clientset.Clientset
	// ctx is done when the scenario takes too long, or is over.
	ctx    context.Context
	cancel context.CancelFunc
}

func newWorld() (world, error) {
	w := world{Server: drive.NewServer(true, deployments, nodes)}
	w.ctx, w.cancel = context.WithTimeout(context.Background(), drive.Patience)
	var err error
	if w.client, err = clientset.NewForConfig(drive.Config(w.URL)); err != nil {
		return w, err
	}
	return w, errors.Join(
		w.Set(deployments, deployment("here", "first", "blue")),
		w.Set(deployments, deployment("there", "first", "blue")),
		w.Set(nodes, node("first", "blue")),
	)
}

func (w world) close() {
	w.cancel()
	w.Close()
}

func deployment(namespace, name, colour string) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{Kind: "Deployment", APIVersion: "apps/v1"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"colour": colour}},
	}
}

func node(name, colour string) *corev1.Node {
	return &corev1.Node{
		TypeMeta:   metav1.TypeMeta{Kind: "Node", APIVersion: "v1"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"colour": colour}},
	}
}

// typedHandlers adds a handler of each type, and an index, to one informer.
func typedHandlers(r *drive.Recorder) error {
	w, err := newWorld()
	if err != nil {
		return err
	}
	defer w.close()
	factory := informers.NewSharedInformerFactoryWithOptions(w.client, 0, informers.WithNamespace("here"))
	defer factory.Shutdown()
	defer w.cancel()
	informer := factory.Apps().V1().Deployments().TypedInformer()
	logs := map[string]drive.Log{"plain": drive.NewLog(), "detailed": drive.NewLog(), "filtering": drive.NewLog()}
	detailed := func(l drive.Log) informersappsv1.DeploymentDetailedHandlerFuncs {
		return informersappsv1.DeploymentDetailedHandlerFuncs{
			AddFunc:    func(d *appsv1.Deployment, initial bool) { l.Add(d, initial) },
			UpdateFunc: func(old, d *appsv1.Deployment) { l.Update(old, d) },
			DeleteFunc: func(d informersappsv1.DeletedDeployment) { l.Delete(d.OptionalObj) },
		}
	}
	plain := logs["plain"]
	handlers := map[string]cache.TypedResourceEventHandler[*appsv1.Deployment]{
		"plain": informersappsv1.DeploymentHandlerFuncs{
			AddFunc:    func(d *appsv1.Deployment) { plain.Add(d, false) },
			UpdateFunc: func(old, d *appsv1.Deployment) { plain.Update(old, d) },
			DeleteFunc: func(d informersappsv1.DeletedDeployment) { plain.Delete(d.OptionalObj) },
		},
		"detailed": detailed(logs["detailed"]),
		"filtering": informersappsv1.DeploymentFilteringHandler{
			FilterFunc: func(d *appsv1.Deployment) bool { return d.Labels["colour"] == "green" },
			Handler:    detailed(logs["filtering"]),
		},
	}
	for _, handler := range handlers {
		if _, err := informer.AddTypedEventHandler(handler); err != nil {
			return err
		}
	}
	err = informer.AddTypedIndexers(informersappsv1.DeploymentIndexers{
		"colour": func(d *appsv1.Deployment) ([]string, error) { return []string{d.Labels["colour"]}, nil },
	})
	if err != nil {
		return err
	}
	factory.StartWithContext(w.ctx)
	if err := factory.WaitForCacheSyncWithContext(w.ctx).AsError(); err != nil {
		return err
	}
	events := map[string][]string{}
	next := func(log string, n int) error {
		got, err := logs[log].Next(w.ctx, n)
		events[log] = append(events[log], got...)
		return err
	}
	// Each change waits for the one before, so that none is merged with another.
	steps := []struct {
		change    func() error
		filtering int
	}{
		{func() error { return nil }, 0},
		{func() error { return w.Set(deployments, deployment("here", "second", "green")) }, 1},
		{func() error { return w.Set(deployments, deployment("here", "second", "green")) }, 1},
		{func() error { return w.Set(deployments, deployment("here", "second", "red")) }, 1},
		{func() error { return w.Set(deployments, deployment("here", "first", "green")) }, 1},
		{func() error { return w.Remove(deployments, deployment("here", "second", "red")) }, 0},
	}
	for _, s := range steps {
		err := errors.Join(s.change(), next("plain", 1), next("detailed", 1), next("filtering", s.filtering))
		if err != nil {
			return err
		}
	}
	for _, log := range []string{"plain", "detailed", "filtering"} {
		r.Record(transcript.Call{Name: "typed handlers " + log, Events: events[log]})
	}
	green, err := informer.GetTypedIndexer().ByTypedIndex("colour", "green")
	lister := factory.Apps().V1().Deployments().Lister()
	second, listErr := lister.Deployments("here").Get("second")
	first, getErr := lister.Deployments("here").Get("first")
	r.Record(transcript.Call{
		Name: "typed handlers index", Result: fmt.Sprint(len(green), green[0].Name, first.Name, second == nil),
		Error: fmt.Sprint(err, listErr, getErr),
	})
	return nil
}

// constructors runs informers that belong to no factory, made in all ways.
func constructors(r *drive.Recorder) error {
	tweak := func(o *metav1.ListOptions) { o.LabelSelector = "colour=blue" }
	options := internalinterfaces.InformerOptions{TweakListOptions: tweak, Indexers: cache.Indexers{"i": cache.MetaNamespaceIndexFunc}}
	untyped := cache.Indexers{"u": cache.MetaNamespaceIndexFunc}
	deploymentIndexers := informersappsv1.DeploymentIndexers{"t": func(d *appsv1.Deployment) ([]string, error) { return []string{d.Namespace}, nil }}
	nodeIndexers := informerscorev1.NodeIndexers{"t": func(n *corev1.Node) ([]string, error) { return []string{n.Name}, nil }}
	ways := []struct {
		name     string
		informer func(*clientset.Clientset) cache.SharedIndexInformer
	}{
		{"NewDeploymentInformer", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informersappsv1.NewDeploymentInformer(c, "here", 0, untyped)
		}},
		{"NewTypedDeploymentInformer", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informersappsv1.NewTypedDeploymentInformer(c, "here", 0, deploymentIndexers)
		}},
		{"NewFilteredDeploymentInformer", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informersappsv1.NewFilteredDeploymentInformer(c, "here", 0, untyped, tweak)
		}},
		{"NewTypedFilteredDeploymentInformer", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informersappsv1.NewTypedFilteredDeploymentInformer(c, "here", 0, deploymentIndexers, tweak)
		}},
		{"NewDeploymentInformerWithOptions", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informersappsv1.NewDeploymentInformerWithOptions(c, "here", options)
		}},
		{"NewTypedDeploymentInformerWithOptions", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informersappsv1.NewTypedDeploymentInformerWithOptions(c, "here", options)
		}},
		{"NewNodeInformer", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informerscorev1.NewNodeInformer(c, 0, untyped)
		}},
		{"NewTypedNodeInformer", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informerscorev1.NewTypedNodeInformer(c, 0, nodeIndexers)
		}},
		{"NewFilteredNodeInformer", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informerscorev1.NewFilteredNodeInformer(c, 0, untyped, tweak)
		}},
		{"NewTypedFilteredNodeInformer", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informerscorev1.NewTypedFilteredNodeInformer(c, 0, nodeIndexers, tweak)
		}},
		{"NewNodeInformerWithOptions", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informerscorev1.NewNodeInformerWithOptions(c, options)
		}},
		{"NewTypedNodeInformerWithOptions", func(c *clientset.Clientset) cache.SharedIndexInformer {
			return informerscorev1.NewTypedNodeInformerWithOptions(c, options)
		}},
	}
	for _, way := range ways {
		w, err := newWorld()
		if err != nil {
			return err
		}
		call, err := w.run(way.informer(w.client))
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		call.Name = "informer " + way.name
		r.Record(call)
	}
	return nil
}

// run runs an informer until it knows its first object, and ends the world.
func (w world) run(informer cache.SharedIndexInformer) (transcript.Call, error) {
	defer w.close()
	log := drive.NewLog()
	if _, err := informer.AddEventHandler(log.Handler()); err != nil {
		return transcript.Call{}, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		informer.RunWithContext(w.ctx)
	}()
	events, err := log.Next(w.ctx, 1)
	call := transcript.Call{
		Events:   events,
		Requests: append(w.Requests(deployments), w.Requests(nodes)...),
		Result:   fmt.Sprint(drive.Indices(informer)),
	}
	w.cancel()
	<-done
	return call, err
}

// untyped is an informer as one wrote them before there were typed ones.
type untyped struct {
	informersappsv1.DeploymentInformer
}

// conversions turns informers into typed ones, where they are not yet.
func conversions(r *drive.Recorder) error {
	w, err := newWorld()
	if err != nil {
		return err
	}
	defer w.close()
	factory := informers.NewSharedInformerFactory(w.client, 0)
	typed := factory.Apps().V1().Deployments()
	adapted := informersappsv1.ToTypedDeploymentInformer(untyped{typed})
	again := informersappsv1.ToTypedDeploymentInformer(typed)
	index := informersappsv1.ToDeploymentIndexInformer(typed.Informer())
	wrapped := informersappsv1.ToDeploymentIndexInformer(bare{typed.Informer()})
	store := typed.Informer().GetStore()
	r.Record(transcript.Call{Name: "informer conversions", Result: fmt.Sprint(
		reflect.TypeOf(again) == reflect.TypeOf(typed),
		reflect.TypeOf(adapted) != reflect.TypeOf(typed),
		adapted.TypedInformer().GetStore() == store,
		index.GetTypedIndexer().ListKeys(),
		wrapped.GetStore() == store,
		typed.TypedInformer().GetStore() == store,
	)})
	lister := listersappsv1.NewDeploymentLister(typed.Informer().GetIndexer())
	_, err = lister.Deployments("here").Get("nothing")
	r.Record(transcript.Call{Name: "lister of an empty store", Error: fmt.Sprint(err)})
	return nil
}

// bare hides all of an informer but that it is one.
type bare struct{ cache.SharedIndexInformer }

// options runs a factory with each option that changes what is asked or stored.
func options(r *drive.Recorder) error {
	tweak := func(o *metav1.ListOptions) { o.LabelSelector = "colour=blue" }
	repaint := func(o any) (any, error) {
		o.(metav1.Object).SetLabels(map[string]string{"colour": "repainted"})
		return o, nil
	}
	ways := []struct {
		name    string
		factory func(clientset.Interface) informers.SharedInformerFactory
	}{
		{"WithNamespace", func(c clientset.Interface) informers.SharedInformerFactory {
			return informers.NewSharedInformerFactoryWithOptions(c, 0, informers.WithNamespace("there"))
		}},
		{"WithTweakListOptions", func(c clientset.Interface) informers.SharedInformerFactory {
			return informers.NewSharedInformerFactoryWithOptions(c, 0, informers.WithTweakListOptions(tweak), informers.WithNamespace("here"))
		}},
		{"WithTransform", func(c clientset.Interface) informers.SharedInformerFactory {
			return informers.NewSharedInformerFactoryWithOptions(c, 0, informers.WithTransform(repaint), informers.WithNamespace("here"))
		}},
		{"NewFilteredSharedInformerFactory", func(c clientset.Interface) informers.SharedInformerFactory {
			return informers.NewFilteredSharedInformerFactory(c, 0, "there", tweak)
		}},
	}
	for _, way := range ways {
		for _, collection := range []drive.Collection{deployments, nodes} {
			w, err := newWorld()
			if err != nil {
				return err
			}
			generic, err := way.factory(w.client).ForResource(collection.Resource)
			if err != nil {
				return err
			}
			call, err := w.run(generic.Informer())
			if err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
			call.Name = "factory " + way.name + " " + collection.Resource.Resource
			r.Record(call)
		}
	}
	return named(r)
}

// named runs the life of an informer's name, which metrics go by: the informer
// takes the resource under it, and Shutdown sets it free.
func named(r *drive.Recorder) error {
	w, err := newWorld()
	if err != nil {
		return err
	}
	defer w.close()
	name, err := cache.NewInformerName("driver")
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(w.client, 0, informers.WithInformerName(name))
	call := transcript.Call{Name: "factory WithInformerName", Result: fmt.Sprint(factory.InformerName() == name)}
	factory.Core().V1().Nodes().Informer()
	_, taken := cache.NewInformerName("driver")
	call.Events = append(call.Events,
		fmt.Sprintf("nodes free: %v", name.WithResource(nodes.Resource).Reserved()),
		fmt.Sprintf("deployments free: %v", name.WithResource(deployments.Resource).Reserved()),
		fmt.Sprintf("name taken: %v", taken),
	)
	factory.Shutdown()
	freed, err := cache.NewInformerName("driver")
	freed.Release()
	call.Events = append(call.Events, fmt.Sprintf("after shutdown: %v", err))
	r.Record(call)
	return nil
}

// resync gives one kind a resync period, and waits for the update that it makes.
func resync(r *drive.Recorder) error {
	w, err := newWorld()
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(w.client, 0,
		informers.WithCustomResyncConfig(map[metav1.Object]time.Duration{&corev1.Node{}: time.Second}))
	log := drive.NewLog()
	if _, err := factory.Core().V1().Nodes().Informer().AddEventHandler(log.Handler()); err != nil {
		return err
	}
	factory.Start(w.ctx.Done())
	events, err := log.Next(w.ctx, 2)
	r.Record(transcript.Call{Name: "factory WithCustomResyncConfig", Events: events})
	w.cancel()
	factory.Shutdown()
	w.close()
	return err
}

// unsynced waits for informers whose server has nothing for them.
func unsynced(r *drive.Recorder) error {
	server := drive.NewServer(true)
	defer server.Close()
	client, err := clientset.NewForConfig(drive.Config(server.URL))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	factory := informers.NewSharedInformerFactory(client, 0)
	factory.Core().V1().Nodes().Informer()
	factory.Apps().V1().Deployments().Informer()
	factory.StartWithContext(ctx)
	cancel(errors.New("the driver has seen enough"))
	result := factory.WaitForCacheSyncWithContext(ctx)
	factory.Shutdown()
	r.Record(transcript.Call{
		Name: "factory that does not sync", Result: fmt.Sprint(result.Synced), Error: result.AsError().Error(),
	})
	return nil
}

// lateInformer asks for an informer after the start, and after the end.
func lateInformer(r *drive.Recorder) error {
	w, err := newWorld()
	if err != nil {
		return err
	}
	defer w.close()
	factory := informers.NewSharedInformerFactory(w.client, 0)
	factory.StartWithContext(w.ctx)
	idle := factory.WaitForCacheSyncWithContext(w.ctx)
	informer := factory.Core().V1().Nodes().Informer()
	waiting := factory.WaitForCacheSyncWithContext(w.ctx)
	factory.StartWithContext(w.ctx)
	factory.StartWithContext(w.ctx)
	started := factory.WaitForCacheSyncWithContext(w.ctx)
	w.cancel()
	factory.Shutdown()
	late := factory.Apps().V1().Deployments().Informer()
	factory.StartWithContext(context.Background())
	factory.Shutdown()
	r.Record(transcript.Call{
		Name:     "factory with informers that come late",
		Events:   []string{fmt.Sprint(idle), fmt.Sprint(waiting), fmt.Sprint(started)},
		Requests: w.Requests(nodes),
		Result:   fmt.Sprint(informer.HasSynced(), informer.IsStopped(), late.HasSynced(), len(w.Requests(deployments))),
	})
	return nil
}
