package fakes_test

import (
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	autoscalingv1ac "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	ourtesting "github.com/listwatch/listwatch/runtime/testing"
)

// call is a test's call of a fake clientset.
type call struct {
	name string
	do   func(s *side) (any, error)
}

var (
	podsResource    = corev1.SchemeGroupVersion.WithResource("pods")
	podKind         = corev1.SchemeGroupVersion.WithKind("Pod")
	nodesResource   = corev1.SchemeGroupVersion.WithResource("nodes")
	scalesResource  = appsv1.SchemeGroupVersion.WithResource("deployments")
	dryRun          = []string{metav1.DryRunAll}
	errRefused      = errors.New("refused")
	jsonOf, mergeOf = types.JSONPatchType, types.MergePatchType
	strategicOf     = types.StrategicMergePatchType
)

func pod(name string, change ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: name, Labels: map[string]string{"k": "v"}},
		Spec: corev1.PodSpec{
			NodeName:   "one",
			Containers: []corev1.Container{{Name: "x", Image: "first"}, {Name: "y", Image: "first"}},
		},
		Status: corev1.PodStatus{Phase: corev1.PodPending},
	}
	for _, change := range change {
		change(p)
	}
	return p
}

func changed(p *corev1.Pod) {
	p.Labels = map[string]string{"k": "w"}
	p.Spec.Containers[0].Image = "second"
	p.Status.Phase = corev1.PodRunning
}

func rv(version string) func(*corev1.Pod)   { return func(p *corev1.Pod) { p.ResourceVersion = version } }
func uid(id types.UID) func(*corev1.Pod)    { return func(p *corev1.Pod) { p.UID = id } }
func in(namespace string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Namespace = namespace } }
func generated(p *corev1.Pod)               { p.GenerateName = "g-" }

func node(name string) *corev1.Node { return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}} }

func deployment(name string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: name}, Spec: appsv1.DeploymentSpec{Replicas: new(int32(1))}}
}

func scale(name string) *autoscalingv1.Scale {
	return &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: name}, Spec: autoscalingv1.ScaleSpec{Replicas: 3}}
}

func configuration(name string) *corev1ac.PodApplyConfiguration {
	return corev1ac.Pod(name, "here").
		WithLabels(map[string]string{"applied": "yes"}).
		WithSpec(corev1ac.PodSpec().WithContainers(corev1ac.Container().WithName("x").WithImage("third"))).
		WithStatus(corev1ac.PodStatus().WithPhase(corev1.PodFailed))
}

// The functions below return calls of one kind; the names of the calls describe them.

func create(name, namespace string, p *corev1.Pod, opts metav1.CreateOptions) call {
	return call{"create " + name, func(s *side) (any, error) { return s.pods(namespace).Create(s.ctx, p.DeepCopy(), opts) }}
}

func update(name, namespace string, p *corev1.Pod, opts metav1.UpdateOptions) call {
	return call{"update " + name, func(s *side) (any, error) { return s.pods(namespace).Update(s.ctx, p.DeepCopy(), opts) }}
}

func updateStatus(name string, p *corev1.Pod) call {
	return call{"update the status " + name, func(s *side) (any, error) {
		return s.pods("here").UpdateStatus(s.ctx, p.DeepCopy(), metav1.UpdateOptions{})
	}}
}

func patch(name, object string, pt types.PatchType, data string, subresources ...string) call {
	return call{"patch " + name, func(s *side) (any, error) {
		return s.pods("here").Patch(s.ctx, object, pt, []byte(data), metav1.PatchOptions{FieldManager: "m"}, subresources...)
	}}
}

func apply(name string, c *corev1ac.PodApplyConfiguration, opts metav1.ApplyOptions) call {
	return call{"apply " + name, func(s *side) (any, error) { return s.pods("here").Apply(s.ctx, c, opts) }}
}

func applyStatus(name string, c *corev1ac.PodApplyConfiguration, opts metav1.ApplyOptions) call {
	return call{"apply the status " + name, func(s *side) (any, error) { return s.pods("here").ApplyStatus(s.ctx, c, opts) }}
}

func remove(name, namespace, object string, opts metav1.DeleteOptions) call {
	return call{"delete " + name, func(s *side) (any, error) { return nil, s.pods(namespace).Delete(s.ctx, object, opts) }}
}

func removeAll(name, namespace string, opts metav1.ListOptions) call {
	return call{"delete the collection " + name, func(s *side) (any, error) {
		return nil, s.pods(namespace).DeleteCollection(s.ctx, metav1.DeleteOptions{}, opts)
	}}
}

func get(name, namespace, object string, opts metav1.GetOptions) call {
	return call{"get " + name, func(s *side) (any, error) { return s.pods(namespace).Get(s.ctx, object, opts) }}
}

func list(name, namespace string, opts metav1.ListOptions) call {
	return call{"list " + name, func(s *side) (any, error) { return s.pods(namespace).List(s.ctx, opts) }}
}

func watched(name, namespace string, opts metav1.ListOptions) call {
	return call{"watch " + name, func(s *side) (any, error) { return s.watch(s.pods(namespace).Watch(s.ctx, opts)) }}
}

// tracked is a call of the tracker itself.
func tracked(name string, do func(ourtesting.ObjectTracker) (any, error)) call {
	return call{"tracker: " + name, func(s *side) (any, error) { return do(s.tracker) }}
}

// reacting adds a reactor to the others and makes a call.
func reacting(name, verb, resource string, r reaction, then call) call {
	return call{"reactor: " + name, func(s *side) (any, error) {
		s.prepend(verb, resource, r)
		return then.do(s)
	}}
}

func answer(obj runtime.Object, err error) reaction {
	return func(runtime.Object) (bool, runtime.Object, error) { return true, obj, err }
}

var calls = []call{
	create("a new object", "here", pod("c"), metav1.CreateOptions{}),
	create("existing objects", "here", pod("a"), metav1.CreateOptions{}),
	create("with a version", "here", pod("c", rv("9")), metav1.CreateOptions{}),
	create("with a UID", "here", pod("c", uid("9")), metav1.CreateOptions{FieldManager: "m", FieldValidation: "Strict"}),
	create("without a namespace", "here", pod("c", in("")), metav1.CreateOptions{}),
	create("in another namespace", "there", pod("c"), metav1.CreateOptions{}),
	create("in all namespaces", "", pod("c"), metav1.CreateOptions{}),
	create("in none", "", pod("c", in("")), metav1.CreateOptions{}),
	create("by prefix", "here", pod("", generated), metav1.CreateOptions{}),
	create("without a name", "here", pod(""), metav1.CreateOptions{}),
	create("in a dry run", "here", pod("c"), metav1.CreateOptions{DryRun: dryRun}),

	update("without a version", "here", pod("a", changed), metav1.UpdateOptions{}),
	update("with the version given", "here", pod("b", changed, rv("7")), metav1.UpdateOptions{FieldManager: "m"}),
	update("with another version", "here", pod("b", changed, rv("5")), metav1.UpdateOptions{}),
	update("with another UID", "here", pod("b", changed, uid("2")), metav1.UpdateOptions{}),
	update("of nothing", "here", pod("c", changed), metav1.UpdateOptions{}),
	update("of another namespace", "there", pod("a"), metav1.UpdateOptions{}),
	update("in all namespaces", "", pod("a"), metav1.UpdateOptions{}),
	update("in a dry run", "here", pod("a", changed), metav1.UpdateOptions{DryRun: dryRun}),
	{"update a read object", func(s *side) (any, error) {
		p, err := s.pods("here").Get(s.ctx, "b", metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		changed(p)
		return s.pods("here").Update(s.ctx, p, metav1.UpdateOptions{FieldManager: "m"})
	}},
	updateStatus("and all else", pod("a", changed)),
	updateStatus("with another version", pod("b", changed, rv("5"))),
	updateStatus("of nothing", pod("c")),
	{"update ephemeral containers", func(s *side) (any, error) {
		return s.pods("here").UpdateEphemeralContainers(s.ctx, "a", pod("a", changed), metav1.UpdateOptions{})
	}},
	{"resize nothing", func(s *side) (any, error) {
		return s.pods("here").UpdateResize(s.ctx, "c", pod("c"), metav1.UpdateOptions{})
	}},
	{"resize another", func(s *side) (any, error) {
		return s.pods("here").UpdateResize(s.ctx, "a", pod("b", changed), metav1.UpdateOptions{})
	}},

	patch("by replacing", "a", jsonOf, `[{"op":"replace","path":"/spec/nodeName","value":"two"}]`),
	patch("by a test that succeeds", "b", jsonOf, `[{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"remove","path":"/metadata/labels"}]`),
	patch("by a test that fails", "a", jsonOf, `[{"op":"test","path":"/spec/nodeName","value":"two"}]`),
	patch("by removing nothing", "a", jsonOf, `[{"op":"remove","path":"/spec/none"}]`),
	patch("by an invalid JSON patch", "a", jsonOf, `{"op":"remove"}`),
	patch("by a JSON patch without a value", "a", jsonOf, `[{"op":"add","path":"/spec/nodeName"}]`),
	patch("by merging", "a", mergeOf, `{"metadata":{"labels":{"k":null,"l":"m"}},"spec":{"containers":[{"name":"z"}]}}`),
	patch("by merging a version", "b", mergeOf, `{"metadata":{"resourceVersion":"5","uid":"2"}}`),
	patch("by merging another name", "a", mergeOf, `{"metadata":{"name":"c"}}`),
	patch("by merging the name of another", "a", mergeOf, `{"metadata":{"name":"b"}}`),
	patch("by merging another namespace", "a", mergeOf, `{"metadata":{"namespace":"there"}}`),
	patch("by merging no namespace", "a", mergeOf, `{"metadata":{"namespace":null}}`),
	patch("by merging a list", "a", mergeOf, `[]`),
	patch("by merging no JSON", "a", mergeOf, `{"metadata"`),
	patch("by merging another type", "a", mergeOf, `{"spec":{"containers":"none"}}`),
	patch("by merging nothing", "a", mergeOf, `{}`),
	patch("the status", "a", mergeOf, `{"metadata":{"labels":{"k":"w"}},"status":{"phase":"Running"}}`, "status"),
	patch("a subresource of a subresource", "a", mergeOf, `{"metadata":{"labels":{"k":"w"}}}`, "x", "y"),
	patch("strategically", "a", strategicOf, `{"spec":{"containers":[{"name":"y","image":"second"},{"name":"z"}]}}`),
	patch("strategically, by deleting", "a", strategicOf, `{"spec":{"containers":[{"name":"y","$patch":"delete"}]}}`),
	patch("strategically, by no JSON", "a", strategicOf, `{"spec"`),
	patch("strategically, by another type", "a", strategicOf, `{"spec":{"containers":{"name":"y"}}}`),
	patch("in no known way", "a", "application/x", `{}`),
	patch("in CBOR", "a", types.ApplyCBORPatchType, `{}`),
	patch("nothing", "c", mergeOf, `{}`),
	patch("by applying YAML", "a", types.ApplyPatchType, "apiVersion: v1\nkind: Pod\nmetadata: {labels: {k: z}}\n"),
	patch("by applying no YAML", "a", types.ApplyPatchType, "\t{"),
	patch("by applying without a kind", "a", types.ApplyPatchType, `{"metadata":{"labels":{"k":"z"}}}`),
	patch("by applying another name", "a", types.ApplyPatchType, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","labels":{"k":"z"}}}`),

	apply("by force", configuration("a"), metav1.ApplyOptions{FieldManager: "m", Force: true}),
	apply("without force", configuration("a"), metav1.ApplyOptions{FieldManager: "n"}),
	apply("another time", configuration("b"), metav1.ApplyOptions{FieldManager: "m", Force: true}),
	apply("less", corev1ac.Pod("a", "here"), metav1.ApplyOptions{FieldManager: "m"}),
	apply("without a manager", configuration("a"), metav1.ApplyOptions{Force: true}),
	apply("to nothing", configuration("c"), metav1.ApplyOptions{FieldManager: "m"}),
	apply("in a dry run", configuration("a"), metav1.ApplyOptions{FieldManager: "m", Force: true, DryRun: dryRun}),
	apply("nothing", nil, metav1.ApplyOptions{FieldManager: "m"}),
	apply("without a name", &corev1ac.PodApplyConfiguration{}, metav1.ApplyOptions{FieldManager: "m"}),
	applyStatus("of an existing object", configuration("a"), metav1.ApplyOptions{FieldManager: "m", Force: true}),
	applyStatus("of nothing", configuration("c"), metav1.ApplyOptions{FieldManager: "m", Force: true}),
	applyStatus("nothing", nil, metav1.ApplyOptions{}),

	remove("existing objects", "here", "a", metav1.DeleteOptions{}),
	remove("existing objects, with options", "here", "b", *metav1.NewDeleteOptions(5)),
	remove("nothing", "here", "c", metav1.DeleteOptions{}),
	remove("in another namespace", "there", "a", metav1.DeleteOptions{}),
	remove("another UID", "here", "b", *metav1.NewPreconditionDeleteOptions("2")),
	remove("another version", "here", "b", *metav1.NewRVDeletionPrecondition("5")),
	remove("in a dry run", "here", "a", metav1.DeleteOptions{DryRun: dryRun}),
	removeAll("of a namespace", "here", metav1.ListOptions{}),
	removeAll("by label", "", metav1.ListOptions{LabelSelector: "k=v"}),
	removeAll("by no selector", "here", metav1.ListOptions{LabelSelector: "k=v=w"}),

	get("existing objects", "here", "a", metav1.GetOptions{}),
	get("at a version", "here", "b", metav1.GetOptions{ResourceVersion: "99"}),
	get("nothing", "here", "c", metav1.GetOptions{}),
	get("in another namespace", "there", "a", metav1.GetOptions{}),
	get("in all namespaces", "", "a", metav1.GetOptions{}),

	list("all namespaces", "", metav1.ListOptions{}),
	list("a namespace", "here", metav1.ListOptions{}),
	list("an empty namespace", "nowhere", metav1.ListOptions{}),
	list("by label", "", metav1.ListOptions{LabelSelector: "k=v"}),
	list("by labels", "", metav1.ListOptions{LabelSelector: "k in (v,w),!x"}),
	list("by a label without matches", "", metav1.ListOptions{LabelSelector: "k=x"}),
	list("by name", "", metav1.ListOptions{FieldSelector: "metadata.name=a"}),
	list("by a field", "", metav1.ListOptions{FieldSelector: "spec.nodeName!=one,status.phase=Pending"}),
	list("by no label selector", "", metav1.ListOptions{LabelSelector: "k=v=w"}),
	list("by no field selector", "", metav1.ListOptions{FieldSelector: "k"}),
	list("a page", "", metav1.ListOptions{Limit: 1, Continue: "x"}),
	list("at a version", "", metav1.ListOptions{ResourceVersion: "99", ResourceVersionMatch: metav1.ResourceVersionMatchExact}),

	watched("all namespaces", "", metav1.ListOptions{}),
	watched("a namespace", "here", metav1.ListOptions{}),
	watched("from 0", "", metav1.ListOptions{ResourceVersion: "0"}),
	watched("from 1", "", metav1.ListOptions{ResourceVersion: "1"}),
	watched("from 2", "there", metav1.ListOptions{ResourceVersion: "2"}),
	watched("from the future", "", metav1.ListOptions{ResourceVersion: "99"}),
	watched("from before the past", "", metav1.ListOptions{ResourceVersion: "-1"}),
	watched("from no version", "", metav1.ListOptions{ResourceVersion: "x"}),
	watched("by label", "", metav1.ListOptions{LabelSelector: "k=w"}),
	watched("by field", "", metav1.ListOptions{FieldSelector: "metadata.name=b", Watch: true}),
	watched("by no selector", "", metav1.ListOptions{FieldSelector: "k"}),
	watched("with initial events", "", metav1.ListOptions{SendInitialEvents: new(true), AllowWatchBookmarks: true, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}),
	{"watch and go on", func(s *side) (any, error) {
		list, err := s.pods("").List(s.ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		if err := s.pods("here").Delete(s.ctx, "a", metav1.DeleteOptions{}); err != nil {
			return nil, err
		}
		return s.watch(s.pods("").Watch(s.ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion}))
	}},
	{"stop a watch", func(s *side) (any, error) {
		w, err := s.pods("").Watch(s.ctx, metav1.ListOptions{})
		if err == nil {
			w.Stop()
			s.watches = append(s.watches, w)
		}
		return nil, err
	}},

	{"create a node", func(s *side) (any, error) { return s.nodes().Create(s.ctx, node("two"), metav1.CreateOptions{}) }},
	{"create a node in a namespace", func(s *side) (any, error) {
		n := node("two")
		n.Namespace = "here"
		return s.nodes().Create(s.ctx, n, metav1.CreateOptions{})
	}},
	{"update a node", func(s *side) (any, error) { return s.nodes().Update(s.ctx, node("one"), metav1.UpdateOptions{}) }},
	{"update the status of a node", func(s *side) (any, error) { return s.nodes().UpdateStatus(s.ctx, node("one"), metav1.UpdateOptions{}) }},
	{"patch a node", func(s *side) (any, error) {
		return s.nodes().Patch(s.ctx, "one", mergeOf, []byte(`{"spec":{"unschedulable":true}}`), metav1.PatchOptions{})
	}},
	{"apply a node", func(s *side) (any, error) {
		return s.nodes().Apply(s.ctx, corev1ac.Node("one").WithLabels(map[string]string{"a": "b"}), metav1.ApplyOptions{FieldManager: "m"})
	}},
	{"get a node", func(s *side) (any, error) { return s.nodes().Get(s.ctx, "one", metav1.GetOptions{}) }},
	{"list nodes", func(s *side) (any, error) { return s.nodes().List(s.ctx, metav1.ListOptions{}) }},
	{"watch nodes", func(s *side) (any, error) { return s.watch(s.nodes().Watch(s.ctx, metav1.ListOptions{})) }},
	{"delete a node", func(s *side) (any, error) { return nil, s.nodes().Delete(s.ctx, "one", metav1.DeleteOptions{}) }},
	{"delete all nodes", func(s *side) (any, error) {
		return nil, s.nodes().DeleteCollection(s.ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	}},

	{"get a scale", func(s *side) (any, error) { return s.deployments("here").GetScale(s.ctx, "a", metav1.GetOptions{}) }},
	{"get a scale of nothing", func(s *side) (any, error) { return s.deployments("here").GetScale(s.ctx, "c", metav1.GetOptions{}) }},
	{"update a scale", func(s *side) (any, error) {
		return s.deployments("here").UpdateScale(s.ctx, "a", scale("a"), metav1.UpdateOptions{})
	}},
	{"update a scale of nothing", func(s *side) (any, error) {
		return s.deployments("here").UpdateScale(s.ctx, "c", scale("c"), metav1.UpdateOptions{})
	}},
	{"apply a scale", func(s *side) (any, error) {
		c := autoscalingv1ac.Scale().WithSpec(autoscalingv1ac.ScaleSpec().WithReplicas(2))
		return s.deployments("here").ApplyScale(s.ctx, "a", c, metav1.ApplyOptions{FieldManager: "m", Force: true})
	}},
	{"apply no scale", func(s *side) (any, error) {
		return s.deployments("here").ApplyScale(s.ctx, "a", nil, metav1.ApplyOptions{FieldManager: "m"})
	}},
	{"apply a deployment", func(s *side) (any, error) {
		c := appsv1ac.Deployment("a", "here").WithSpec(appsv1ac.DeploymentSpec().WithReplicas(2))
		return s.deployments("here").Apply(s.ctx, c, metav1.ApplyOptions{FieldManager: "m", Force: true})
	}},
	{"list deployments", func(s *side) (any, error) { return s.deployments("").List(s.ctx, metav1.ListOptions{}) }},
	{"create a token", func(s *side) (any, error) {
		return s.accounts("here").CreateToken(s.ctx, "a", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	}},
	{"create a token with a name", func(s *side) (any, error) {
		token := &authenticationv1.TokenRequest{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
		return s.accounts("here").CreateToken(s.ctx, "a", token, metav1.CreateOptions{})
	}},

	tracked("add", func(t ourtesting.ObjectTracker) (any, error) { return nil, t.Add(pod("c", rv("9"))) }),
	tracked("add an existing object", func(t ourtesting.ObjectTracker) (any, error) { return nil, t.Add(pod("a")) }),
	tracked("add a list", func(t ourtesting.ObjectTracker) (any, error) {
		return nil, t.Add(&corev1.PodList{Items: []corev1.Pod{*pod("c"), *pod("d"), *pod("a")}})
	}),
	tracked("add a list of anything", func(t ourtesting.ObjectTracker) (any, error) {
		return nil, t.Add(&metav1.List{Items: []runtime.RawExtension{
			{Raw: []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"raw","namespace":"here"}}`)}, {Object: node("raw")},
		}})
	}),
	tracked("add a list of no kind", func(t ourtesting.ObjectTracker) (any, error) {
		return nil, t.Add(&metav1.List{Items: []runtime.RawExtension{{Raw: []byte(`{"apiVersion":"v1","kind":"Podd"}`)}}})
	}),
	tracked("add a kind without metadata", func(t ourtesting.ObjectTracker) (any, error) { return nil, t.Add(&metav1.APIGroup{}) }),
	tracked("add a status", func(t ourtesting.ObjectTracker) (any, error) { return nil, t.Add(&metav1.Status{}) }),
	tracked("add an unknown kind", func(t ourtesting.ObjectTracker) (any, error) {
		partial := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "c"}}
		partial.SetGroupVersionKind(podKind)
		return nil, t.Add(partial)
	}),
	tracked("create", func(t ourtesting.ObjectTracker) (any, error) {
		p := pod("c", in(""))
		return p, t.Create(podsResource, p, "here", metav1.CreateOptions{FieldManager: "m"})
	}),
	tracked("create elsewhere", func(t ourtesting.ObjectTracker) (any, error) { return nil, t.Create(podsResource, pod("c"), "there") }),
	tracked("create under no kind", func(t ourtesting.ObjectTracker) (any, error) {
		return nil, t.Create(corev1.SchemeGroupVersion.WithResource("none"), pod("c"), "here")
	}),
	tracked("create with two options", func(t ourtesting.ObjectTracker) (any, error) {
		return nil, t.Create(podsResource, pod("c"), "here", metav1.CreateOptions{}, metav1.CreateOptions{})
	}),
	tracked("update", func(t ourtesting.ObjectTracker) (any, error) {
		p := pod("b", changed, rv("5"))
		return p, t.Update(podsResource, p, "here", metav1.UpdateOptions{FieldManager: "m", DryRun: dryRun})
	}),
	tracked("update of nothing", func(t ourtesting.ObjectTracker) (any, error) { return nil, t.Update(podsResource, pod("c"), "here") }),
	tracked("update of no resource", func(t ourtesting.ObjectTracker) (any, error) {
		gvr := corev1.SchemeGroupVersion.WithResource("secrets")
		err := t.Update(gvr, &corev1.Secret{}, "here")
		list, listErr := t.List(gvr, corev1.SchemeGroupVersion.WithKind("Secret"), "")
		return list, errors.Join(err, listErr)
	}),
	tracked("update to another kind", func(t ourtesting.ObjectTracker) (any, error) {
		return nil, t.Update(scalesResource, scale("a"), "here")
	}),
	tracked("patch", func(t ourtesting.ObjectTracker) (any, error) {
		p := pod("a", changed)
		return p, t.Patch(podsResource, p, "here", metav1.PatchOptions{FieldManager: "m"})
	}),
	tracked("apply", func(t ourtesting.ObjectTracker) (any, error) {
		c := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{"name": "a", "namespace": "here"},
			"spec":     map[string]any{"activeDeadlineSeconds": int64(5)},
		}}
		return nil, t.Apply(podsResource, c, "here", metav1.PatchOptions{FieldManager: "m"})
	}),
	tracked("get", func(t ourtesting.ObjectTracker) (any, error) { return t.Get(podsResource, "here", "b") }),
	tracked("get with two options", func(t ourtesting.ObjectTracker) (any, error) {
		return t.Get(podsResource, "here", "b", metav1.GetOptions{}, metav1.GetOptions{})
	}),
	tracked("list", func(t ourtesting.ObjectTracker) (any, error) {
		return t.List(podsResource, podKind, "here", metav1.ListOptions{LabelSelector: "k=w", FieldSelector: "x"})
	}),
	tracked("list nothing", func(t ourtesting.ObjectTracker) (any, error) { return t.List(podsResource, podKind, "nowhere") }),
	tracked("list an unknown kind", func(t ourtesting.ObjectTracker) (any, error) {
		return t.List(podsResource, corev1.SchemeGroupVersion.WithKind("Podd"), "")
	}),
	tracked("list no list", func(t ourtesting.ObjectTracker) (any, error) {
		return t.List(podsResource, corev1.SchemeGroupVersion.WithKind(""), "")
	}),
	tracked("list another kind", func(t ourtesting.ObjectTracker) (any, error) {
		return t.List(podsResource, corev1.SchemeGroupVersion.WithKind("Node"), "")
	}),
	tracked("delete", func(t ourtesting.ObjectTracker) (any, error) { return nil, t.Delete(podsResource, "here", "a") }),
	tracked("delete nothing", func(t ourtesting.ObjectTracker) (any, error) { return nil, t.Delete(nodesResource, "here", "a") }),
	tracked("delete and list", func(t ourtesting.ObjectTracker) (any, error) {
		if err := t.Delete(nodesResource, "", "one"); err != nil {
			return nil, err
		}
		return t.List(nodesResource, corev1.SchemeGroupVersion.WithKind("Node"), "")
	}),
	{"tracker: watch", func(s *side) (any, error) { return s.watch(s.tracker.Watch(podsResource, "")) }},
	{"tracker: watch with options", func(s *side) (any, error) {
		return s.watch(s.tracker.Watch(podsResource, "here", metav1.ListOptions{AllowWatchBookmarks: true}))
	}},
	{"tracker: watch from no version", func(s *side) (any, error) {
		return s.watch(s.tracker.Watch(podsResource, "here", metav1.ListOptions{ResourceVersion: "x"}))
	}},
	{"tracker: watch with two options", func(s *side) (any, error) {
		return s.watch(s.tracker.Watch(podsResource, "", metav1.ListOptions{}, metav1.ListOptions{}))
	}},

	reacting("an error", "create", "pods", answer(nil, errRefused), create("", "here", pod("r1"), metav1.CreateOptions{})),
	reacting("an object and an error", "get", "pods", answer(pod("r2"), errRefused), get("", "here", "a", metav1.GetOptions{})),
	reacting("an object", "get", "*", answer(pod("r3"), nil), get("", "here", "c", metav1.GetOptions{})),
	reacting("nothing", "update", "pods", answer(nil, nil), update("", "here", pod("a"), metav1.UpdateOptions{})),
	reacting("another type", "patch", "pods", answer(node("r4"), nil), patch("", "a", mergeOf, `{}`)),
	reacting("all verbs", "*", "pods", answer(nil, errRefused), remove("", "here", "a", metav1.DeleteOptions{})),
	reacting("a collection", "delete-collection", "pods", answer(nil, errRefused), removeAll("", "here", metav1.ListOptions{})),
	reacting("a list", "list", "pods", answer(&corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "3"}, Items: []corev1.Pod{*pod("a"), *pod("b", changed)}}, nil),
		list("", "", metav1.ListOptions{LabelSelector: "k=w"})),
	reacting("a list and an error", "list", "pods", answer(&corev1.PodList{Items: []corev1.Pod{*pod("a"), *pod("b", changed)}}, errRefused),
		list("", "", metav1.ListOptions{LabelSelector: "k=w"})),
	reacting("no list", "list", "pods", answer(nil, nil), list("", "", metav1.ListOptions{})),
	reacting("a subresource", "update", "pods/status", answer(pod("r5"), nil), updateStatus("", pod("a"))),
	reacting("another subresource", "update", "pods/scale", answer(pod("r6"), nil), updateStatus("", pod("a"))),
	reacting("the object itself", "update", "pods", answer(pod("r7"), nil), updateStatus("", pod("a"))),
	reacting("another resource", "create", "nodes", answer(nil, errRefused), create("", "here", pod("r8"), metav1.CreateOptions{})),
	reacting("unhandled", "create", "pods", func(runtime.Object) (bool, runtime.Object, error) { return false, pod("x"), errRefused },
		create("", "here", pod("r9"), metav1.CreateOptions{})),
	reacting("a change of the object", "create", "pods", func(obj runtime.Object) (bool, runtime.Object, error) {
		if p, ok := obj.(*corev1.Pod); ok {
			p.Labels = map[string]string{"by": "the reactor"}
		}
		return false, nil, nil
	}, create("", "here", pod("r10"), metav1.CreateOptions{})),
	{"reactor: behind the tracker", func(s *side) (any, error) {
		s.add("*", "*", answer(nil, errRefused))
		return nil, s.pods("here").DeleteCollection(s.ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	}},
	{"watch reactor: a watch", func(s *side) (any, error) {
		w := watch.NewFakeWithChanSize(3, false)
		w.Add(pod("w"))
		s.addWatch("pods", func(ourtesting.Action) (bool, watch.Interface, error) { return true, w, nil })
		return s.watch(s.pods("").Watch(s.ctx, metav1.ListOptions{}))
	}},
	{"watch reactor: an error", func(s *side) (any, error) {
		s.addWatch("*", func(ourtesting.Action) (bool, watch.Interface, error) { return true, nil, errRefused })
		return s.watch(s.pods("").Watch(s.ctx, metav1.ListOptions{}))
	}},
	{"watch reactor: unhandled", func(s *side) (any, error) {
		s.addWatch("*", func(ourtesting.Action) (bool, watch.Interface, error) { return false, nil, errRefused })
		return s.watch(s.pods("").Watch(s.ctx, metav1.ListOptions{}))
	}},
	{"forget the actions", func(s *side) (any, error) {
		s.clear()
		return fmt.Sprintf("%#v", s.actions()), nil
	}},
	{"forget the actions, and one more", func(s *side) (any, error) {
		s.clear()
		return s.pods("here").Get(s.ctx, "b", metav1.GetOptions{})
	}},
}
