package live

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/kubernetes"
	appsv1ac "github.com/listwatch/listwatch/kubernetes/applyconfigurations/apps/v1"
	autoscalingv1ac "github.com/listwatch/listwatch/kubernetes/applyconfigurations/autoscaling/v1"
	corev1ac "github.com/listwatch/listwatch/kubernetes/applyconfigurations/core/v1"
	appsv1client "github.com/listwatch/listwatch/kubernetes/typed/apps/v1"
	corev1client "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
	metav1ac "github.com/listwatch/listwatch/runtime/applyconfigurations/meta/v1"
	"github.com/listwatch/listwatch/runtime/rest"
)

var (
	podSpec = corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}}
	app     = map[string]string{"app": "a"}
)

func deployment(name string) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: app},
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(2)),
			Selector: &metav1.LabelSelector{MatchLabels: app},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: app}, Spec: podSpec},
		},
	}
}

func applied(name string) *appsv1ac.DeploymentApplyConfiguration {
	return appsv1ac.Deployment(name, "default").WithSpec(appsv1ac.DeploymentSpec().
		WithSelector(metav1ac.LabelSelector().WithMatchLabels(app)).
		WithTemplate(corev1ac.PodTemplateSpec().WithLabels(app).
			WithSpec(corev1ac.PodSpec().WithContainers(corev1ac.Container().WithName("c").WithImage("applied")))))
}

// call is a call of a method. It returns an object, or nothing.
type call struct {
	method string
	do     func(context.Context, kubernetes.Interface) (any, error)
}

// calls are made in sequence. They leave nothing behind.
func calls() []call {
	deployments := func(c kubernetes.Interface) appsv1client.DeploymentInterface {
		return c.AppsV1().Deployments("default")
	}
	pods := func(c kubernetes.Interface) corev1client.PodInterface { return c.CoreV1().Pods("default") }
	manager := metav1.ApplyOptions{FieldManager: "live", Force: true}
	var latest *appsv1.Deployment
	patch := func(t types.PatchType, body string) call {
		return call{"Patch", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			return deployments(c).Patch(ctx, "a", t, []byte(body), metav1.PatchOptions{})
		}}
	}
	return []call{
		{"Create", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			return deployments(c).Create(ctx, deployment("a"), metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
		}},
		{"Get", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			var err error
			latest, err = deployments(c).Get(ctx, "a", metav1.GetOptions{})
			return latest, err
		}},
		{"Update", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			changed := latest.DeepCopy()
			changed.Spec.Paused = true
			var err error
			latest, err = deployments(c).Update(ctx, changed, metav1.UpdateOptions{FieldManager: "live"})
			return latest, err
		}},
		{"UpdateStatus", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			changed := latest.DeepCopy()
			changed.Status.ObservedGeneration = 1
			changed.Spec.Paused = false
			return deployments(c).UpdateStatus(ctx, changed, metav1.UpdateOptions{})
		}},
		patch(types.JSONPatchType, `[{"op":"replace","path":"/spec/replicas","value":3}]`),
		patch(types.MergePatchType, `{"spec":{"replicas":4}}`),
		patch(types.StrategicMergePatchType, `{"spec":{"template":{"spec":{"containers":[{"name":"d","image":"i"}]}}}}`),
		{"Apply", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			return deployments(c).Apply(ctx, applied("a"), manager)
		}},
		{"ApplyStatus", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			return deployments(c).ApplyStatus(ctx, appsv1ac.Deployment("a", "default").
				WithStatus(appsv1ac.DeploymentStatus().WithReplicas(1)), manager)
		}},
		{"GetScale", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			return deployments(c).GetScale(ctx, "a", metav1.GetOptions{})
		}},
		{"UpdateScale", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			scale, err := deployments(c).GetScale(ctx, "a", metav1.GetOptions{})
			if err != nil {
				return nil, err
			}
			scale.Spec.Replicas = 7
			return deployments(c).UpdateScale(ctx, "a", scale, metav1.UpdateOptions{})
		}},
		{"ApplyScale", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			return deployments(c).ApplyScale(ctx, "a", autoscalingv1ac.Scale().WithName("a").WithNamespace("default").
				WithSpec(autoscalingv1ac.ScaleSpec().WithReplicas(8)), manager)
		}},
		{"List", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			return deployments(c).List(ctx, metav1.ListOptions{LabelSelector: "app=a", Limit: 5})
		}},
		{"Watch", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			w, err := deployments(c).Watch(ctx, metav1.ListOptions{})
			if err != nil {
				return nil, err
			}
			defer w.Stop()
			event := <-w.ResultChan()
			return event.Object, nil
		}},
		{"Delete", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			return nil, deployments(c).Delete(ctx, "a", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)})
		}},
		{"DeleteCollection", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			if _, err := deployments(c).Create(ctx, deployment("b"), metav1.CreateOptions{}); err != nil {
				return nil, err
			}
			if err := deployments(c).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app=a"}); err != nil {
				return nil, err
			}
			return deployments(c).List(ctx, metav1.ListOptions{})
		}},
		{"UpdateEphemeralContainers", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			pod, err := pods(c).Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: podSpec}, metav1.CreateOptions{})
			if err != nil {
				return nil, err
			}
			pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
				Name: "e", Image: "i", TerminationMessagePolicy: corev1.TerminationMessageReadFile, ImagePullPolicy: corev1.PullAlways,
			}}}
			return pods(c).UpdateEphemeralContainers(ctx, "a", pod, metav1.UpdateOptions{})
		}},
		{"UpdateResize", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			pod, err := pods(c).Get(ctx, "a", metav1.GetOptions{})
			if err != nil {
				return nil, err
			}
			return pods(c).UpdateResize(ctx, "a", pod, metav1.UpdateOptions{})
		}},
		{"Delete", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			return nil, pods(c).Delete(ctx, "a", metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))})
		}},
		{"CreateToken", func(ctx context.Context, c kubernetes.Interface) (any, error) {
			accounts := c.CoreV1().ServiceAccounts("default")
			if _, err := accounts.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{}); err != nil {
				return nil, err
			}
			token, err := accounts.CreateToken(ctx, "a", &authenticationv1.TokenRequest{
				Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: new(int64(3600))},
			}, metav1.CreateOptions{})
			if err != nil {
				return nil, err
			}
			return token.Status.Token != "", accounts.Delete(ctx, "a", metav1.DeleteOptions{})
		}},
	}
}

// TestVerbs makes each call in JSON and in protobuf, and compares the results.
func TestVerbs(t *testing.T) {
	server := embedded.Start(t)
	want := answers(t, server.Config(), runtime.ContentTypeJSON)
	got := answers(t, server.Config(), runtime.ContentTypeProtobuf)
	if diff := cmp.Diff(want, got,
		cmpopts.IgnoreFields(metav1.ObjectMeta{}, "UID", "ResourceVersion", "CreationTimestamp"),
		cmpopts.IgnoreFields(metav1.ListMeta{}, "ResourceVersion"),
		cmpopts.IgnoreFields(metav1.ManagedFieldsEntry{}, "Time"),
		// Their order is that of their times, which are seconds.
		cmpopts.SortSlices(func(a, b metav1.ManagedFieldsEntry) bool { return untimed(a) < untimed(b) }),
		cmpopts.IgnoreTypes(metav1.TypeMeta{}),
		cmpopts.EquateEmpty(),
	); diff != "" {
		t.Errorf("protobuf gives something else (-JSON +protobuf):\n%s", diff)
	}
}

// untimed identifies an entry, except for its time.
func untimed(e metav1.ManagedFieldsEntry) string {
	return fmt.Sprint(e.Manager, e.Operation, e.Subresource, e.FieldsV1)
}

// answers makes all calls with a client that sends and accepts a media type.
func answers(t *testing.T, config *rest.Config, media string) []any {
	t.Helper()
	seen := &mediaTypes{}
	config.ContentType, config.AcceptContentTypes = media, media
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return seen.round(next) })
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	var all []any
	for _, c := range calls() {
		answer, err := c.do(t.Context(), client)
		if err != nil {
			t.Fatalf("%s in %s: %v", c.method, media, err)
		}
		all = append(all, answer)
	}
	seen.check(t, media)
	return all
}

// TestAllVerbs checks that each method of the typed clients is called, except those that the module kubernetes adds and tests
// itself.
func TestAllVerbs(t *testing.T) {
	called := map[string]bool{}
	for _, c := range calls() {
		called[c.method] = true
	}
	for _, added := range []reflect.Type{reflect.TypeFor[corev1client.PodExpansion](), reflect.TypeFor[corev1client.NamespaceExpansion]()} {
		for i := range added.NumMethod() {
			called[added.Method(i).Name] = true
		}
	}
	for _, client := range []reflect.Type{
		reflect.TypeFor[appsv1client.DeploymentInterface](), reflect.TypeFor[corev1client.PodInterface](),
		reflect.TypeFor[corev1client.ServiceAccountInterface](), reflect.TypeFor[corev1client.NamespaceInterface](),
	} {
		for i := range client.NumMethod() {
			if name := client.Method(i).Name; !called[name] {
				t.Errorf("%v.%s is not called", client, name)
			}
		}
	}
}

// mediaTypes records the formats of bodies in both directions.
type mediaTypes struct {
	mu        sync.Mutex // guards the fields below
	sent, got map[string]int
}

func (m *mediaTypes) round(next http.RoundTripper) http.RoundTripper {
	m.sent, m.got = map[string]int{}, map[string]int{}
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		res, err := next.RoundTrip(r)
		m.mu.Lock()
		defer m.mu.Unlock()
		if r.Body != nil && r.Body != http.NoBody && r.Method != http.MethodPatch {
			m.sent[r.Header.Get("Content-Type")]++
		}
		if err == nil {
			media, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
			m.got[media]++
		}
		return res, err
	})
}

// check reports formats other than the expected one.
func (m *mediaTypes) check(t *testing.T, media string) {
	t.Helper()
	for what, counts := range map[string]map[string]int{"sent": m.sent, "received": m.got} {
		if len(counts) != 1 || counts[media] == 0 {
			t.Errorf("%s %v instead of %s", what, counts, media)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }
