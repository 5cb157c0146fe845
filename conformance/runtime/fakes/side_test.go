package fakes_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	autoscalingv1ac "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	theirs "k8s.io/client-go/kubernetes/fake"
	theirtesting "k8s.io/client-go/testing"
	"k8s.io/utils/dump"

	ourac "github.com/listwatch/listwatch/kubernetes/applyconfigurations"
	ourappsac "github.com/listwatch/listwatch/kubernetes/applyconfigurations/apps/v1"
	ourautoscalingac "github.com/listwatch/listwatch/kubernetes/applyconfigurations/autoscaling/v1"
	ourcoreac "github.com/listwatch/listwatch/kubernetes/applyconfigurations/core/v1"
	ours "github.com/listwatch/listwatch/kubernetes/fake"
	ourscheme "github.com/listwatch/listwatch/kubernetes/scheme"
	ourappsclient "github.com/listwatch/listwatch/kubernetes/typed/apps/v1"
	ourapps "github.com/listwatch/listwatch/kubernetes/typed/apps/v1/fake"
	ourcoreclient "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
	ourcore "github.com/listwatch/listwatch/kubernetes/typed/core/v1/fake"
	ourtesting "github.com/listwatch/listwatch/runtime/testing"
)

// client is the common interface of the clients of all kinds.
type client[T, L, C any] interface {
	Create(context.Context, T, metav1.CreateOptions) (T, error)
	Update(context.Context, T, metav1.UpdateOptions) (T, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
	DeleteCollection(context.Context, metav1.DeleteOptions, metav1.ListOptions) error
	Get(context.Context, string, metav1.GetOptions) (T, error)
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
	Patch(context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string) (T, error)
	Apply(context.Context, C, metav1.ApplyOptions) (T, error)
	UpdateStatus(context.Context, T, metav1.UpdateOptions) (T, error)
	ApplyStatus(context.Context, C, metav1.ApplyOptions) (T, error)
}

type podClient interface {
	client[*corev1.Pod, *corev1.PodList, *corev1ac.PodApplyConfiguration]
	UpdateEphemeralContainers(context.Context, string, *corev1.Pod, metav1.UpdateOptions) (*corev1.Pod, error)
	UpdateResize(context.Context, string, *corev1.Pod, metav1.UpdateOptions) (*corev1.Pod, error)
}

type nodeClient = client[*corev1.Node, *corev1.NodeList, *corev1ac.NodeApplyConfiguration]

type deploymentClient interface {
	client[*appsv1.Deployment, *appsv1.DeploymentList, *appsv1ac.DeploymentApplyConfiguration]
	GetScale(context.Context, string, metav1.GetOptions) (*autoscalingv1.Scale, error)
	UpdateScale(context.Context, string, *autoscalingv1.Scale, metav1.UpdateOptions) (*autoscalingv1.Scale, error)
	ApplyScale(context.Context, string, *autoscalingv1ac.ScaleApplyConfiguration, metav1.ApplyOptions) (*autoscalingv1.Scale, error)
}

type accountClient interface {
	CreateToken(context.Context, string, *authenticationv1.TokenRequest, metav1.CreateOptions) (*authenticationv1.TokenRequest, error)
}

// reaction returns the result of an action on an object, which is nil for actions without one.
type reaction func(obj runtime.Object) (bool, runtime.Object, error)

// side is a fake clientset, theirs or ours.
type side struct {
	ctx         context.Context
	pods        func(namespace string) podClient
	nodes       func() nodeClient
	deployments func(namespace string) deploymentClient
	accounts    func(namespace string) accountClient
	// tracker is client-go's if the side is: the interfaces have the same methods.
	tracker    ourtesting.ObjectTracker
	add        func(verb, resource string, r reaction)
	prepend    func(verb, resource string, r reaction)
	addWatch   func(resource string, r ourtesting.WatchReactionFunc)
	actions    func() []any
	clear      func()
	watches    []watch.Interface
	discovered func() ([]*metav1.APIGroup, []*metav1.APIResourceList, error)
}

// pair creates both sides with these objects. It fails if only one of them can be created.
type pair func(t *testing.T, seeds []runtime.Object) (theirs, ours *side)

// simple is NewSimpleClientset of both.
func simple(t *testing.T, seeds []runtime.Object) (*side, *side) {
	set := ours.NewSimpleClientset(copies(seeds)...)
	our := ourSide(t, &set.Fake, set.Tracker())
	our.discovered = set.Discovery().ServerGroupsAndResources
	return theirSide(t, theirs.NewSimpleClientset(copies(seeds)...)), our
}

// managed is NewClientset of client-go, and that clientset's tracker with our clients.
func managed(t *testing.T, seeds []runtime.Object) (*side, *side) {
	fake := &ourtesting.Fake{}
	tracker := ourtesting.NewFieldManagedObjectTracker(ourscheme.Scheme, ourscheme.Codecs.UniversalDecoder(), ourac.NewTypeConverter(ourscheme.Scheme))
	if err := ourtesting.TrackObjects(fake, tracker, copies(seeds)...); err != nil {
		t.Fatal(err)
	}
	return theirSide(t, theirs.NewClientset(copies(seeds)...)), ourSide(t, fake, tracker)
}

func copies(objects []runtime.Object) []runtime.Object {
	var copied []runtime.Object
	for _, obj := range objects {
		copied = append(copied, obj.DeepCopyObject())
	}
	return copied
}

func theirSide(t *testing.T, set *theirs.Clientset) *side {
	react := func(r reaction) theirtesting.ReactionFunc {
		return func(action theirtesting.Action) (bool, runtime.Object, error) { return r(objectOf(action)) }
	}
	return &side{
		ctx:         t.Context(),
		pods:        func(namespace string) podClient { return set.CoreV1().Pods(namespace) },
		nodes:       func() nodeClient { return set.CoreV1().Nodes() },
		deployments: func(namespace string) deploymentClient { return set.AppsV1().Deployments(namespace) },
		accounts:    func(namespace string) accountClient { return set.CoreV1().ServiceAccounts(namespace) },
		tracker:     set.Tracker(),
		add:         func(verb, resource string, r reaction) { set.AddReactor(verb, resource, react(r)) },
		prepend:     func(verb, resource string, r reaction) { set.PrependReactor(verb, resource, react(r)) },
		addWatch: func(resource string, r ourtesting.WatchReactionFunc) {
			set.PrependWatchReactor(resource, func(theirtesting.Action) (bool, watch.Interface, error) { return r(nil) })
		},
		actions:    func() []any { return anys(set.Actions()) },
		clear:      set.ClearActions,
		discovered: set.Discovery().ServerGroupsAndResources,
	}
}

// ourPods, ourNodes and ourDeployments take client-go's apply configurations.
type (
	ourPods        struct{ ourcoreclient.PodInterface }
	ourNodes       struct{ ourcoreclient.NodeInterface }
	ourDeployments struct {
		ourappsclient.DeploymentInterface
	}
)

func (p ourPods) Apply(ctx context.Context, c *corev1ac.PodApplyConfiguration, opts metav1.ApplyOptions) (*corev1.Pod, error) {
	return p.PodInterface.Apply(ctx, converted[ourcoreac.PodApplyConfiguration](c), opts)
}

func (p ourPods) ApplyStatus(ctx context.Context, c *corev1ac.PodApplyConfiguration, opts metav1.ApplyOptions) (*corev1.Pod, error) {
	return p.PodInterface.ApplyStatus(ctx, converted[ourcoreac.PodApplyConfiguration](c), opts)
}

func (n ourNodes) Apply(ctx context.Context, c *corev1ac.NodeApplyConfiguration, opts metav1.ApplyOptions) (*corev1.Node, error) {
	return n.NodeInterface.Apply(ctx, converted[ourcoreac.NodeApplyConfiguration](c), opts)
}

func (n ourNodes) ApplyStatus(ctx context.Context, c *corev1ac.NodeApplyConfiguration, opts metav1.ApplyOptions) (*corev1.Node, error) {
	return n.NodeInterface.ApplyStatus(ctx, converted[ourcoreac.NodeApplyConfiguration](c), opts)
}

func (d ourDeployments) Apply(ctx context.Context, c *appsv1ac.DeploymentApplyConfiguration, opts metav1.ApplyOptions) (*appsv1.Deployment, error) {
	return d.DeploymentInterface.Apply(ctx, converted[ourappsac.DeploymentApplyConfiguration](c), opts)
}

func (d ourDeployments) ApplyStatus(ctx context.Context, c *appsv1ac.DeploymentApplyConfiguration, opts metav1.ApplyOptions) (*appsv1.Deployment, error) {
	return d.DeploymentInterface.ApplyStatus(ctx, converted[ourappsac.DeploymentApplyConfiguration](c), opts)
}

func (d ourDeployments) ApplyScale(ctx context.Context, name string, c *autoscalingv1ac.ScaleApplyConfiguration, opts metav1.ApplyOptions) (*autoscalingv1.Scale, error) {
	return d.DeploymentInterface.ApplyScale(ctx, name, converted[ourautoscalingac.ScaleApplyConfiguration](c), opts)
}

// converted returns client-go's apply configuration as ours, which is nil for nil.
func converted[D any](c any) *D {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	var d *D
	if err = json.Unmarshal(text, &d); err != nil {
		panic(err)
	}
	return d
}

func ourSide(t *testing.T, fake *ourtesting.Fake, tracker ourtesting.ObjectTracker) *side {
	core, apps := &ourcore.FakeCoreV1{Fake: fake}, &ourapps.FakeAppsV1{Fake: fake}
	react := func(r reaction) ourtesting.ReactionFunc {
		return func(action ourtesting.Action) (bool, runtime.Object, error) { return r(objectOf(action)) }
	}
	return &side{
		ctx:         t.Context(),
		pods:        func(namespace string) podClient { return ourPods{core.Pods(namespace)} },
		nodes:       func() nodeClient { return ourNodes{core.Nodes()} },
		deployments: func(namespace string) deploymentClient { return ourDeployments{apps.Deployments(namespace)} },
		accounts:    func(namespace string) accountClient { return core.ServiceAccounts(namespace) },
		tracker:     tracker,
		add:         func(verb, resource string, r reaction) { fake.AddReactor(verb, resource, react(r)) },
		prepend:     func(verb, resource string, r reaction) { fake.PrependReactor(verb, resource, react(r)) },
		addWatch:    fake.PrependWatchReactor,
		actions:     func() []any { return anys(fake.Actions()) },
		clear:       fake.ClearActions,
	}
}

func objectOf(action any) runtime.Object {
	if action, ok := action.(interface{ GetObject() runtime.Object }); ok {
		return action.GetObject()
	}
	return nil
}

func anys[T any](s []T) []any {
	var result []any
	for _, v := range s {
		result = append(result, v)
	}
	return result
}

// do makes a call and returns its whole result as text.
func (s *side) do(c call) (outcome string, failed, panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			outcome, failed, panicked = fmt.Sprint("panic: ", p), true, true
		}
	}()
	result, err := c.do(s)
	text := ""
	if err != nil {
		text = fmt.Sprintf("%T %v", err, err)
	}
	return text + "\n" + show(result), err != nil, false
}

// after returns the state after calls: actions, objects and events.
func (s *side) after() string {
	text := ""
	for _, action := range s.actions() {
		text += show(action) + "\n"
	}
	for _, kind := range []string{"Pod", "Node", "Deployment", "Scale", "ServiceAccount"} {
		gv := corev1.SchemeGroupVersion
		if kind == "Deployment" || kind == "Scale" {
			gv = appsv1.SchemeGroupVersion
		}
		resource := gv.WithResource(map[string]string{
			"Pod": "pods", "Node": "nodes", "Deployment": "deployments", "Scale": "scales", "ServiceAccount": "serviceaccounts",
		}[kind])
		list, err := s.tracker.List(resource, gv.WithKind(kind), "")
		text += fmt.Sprintf("%s: %v\n%s\n", kind, err, show(list))
	}
	for _, w := range s.watches {
		w.Stop()
		for event := range w.ResultChan() {
			text += show(event) + "\n"
		}
		text += "end of the watch\n"
	}
	return text
}

// watch starts a watch whose events are compared after all calls.
func (s *side) watch(w watch.Interface, err error) (any, error) {
	if err == nil {
		s.watches = append(s.watches, w)
	}
	return nil, err
}

var (
	schemeName = regexp.MustCompile(`in scheme "[^"]*"`)
	applied    = regexp.MustCompile(`\w+ provided to \w+ must not be nil`)
)

// comparable removes the text in which the two sides always differ.
func comparable(text string) string {
	text = schemeName.ReplaceAllString(text, "in the scheme")
	return applied.ReplaceAllString(text, "no configuration")
}

// show returns a value with the names of its types, as lines.
func show(v any) string { return strings.ReplaceAll(dump.ForHash(v), ", ", ",\n") }
