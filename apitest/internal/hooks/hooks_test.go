package hooks_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionapi "k8s.io/api/admission/v1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/listwatch/listwatch/apitest/internal/hooks"
)

// world is what hooks read.
type world struct {
	*hooks.Hooks
	mutating   []*admissionv1.MutatingWebhookConfiguration
	validating []*admissionv1.ValidatingWebhookConfiguration
	policies   []*admissionv1.ValidatingAdmissionPolicy
	bindings   []*admissionv1.ValidatingAdmissionPolicyBinding
	params     map[string]runtime.Object // by name; nil if their kind is not served
	reads      int                       // of policies
}

func newWorld(t *testing.T) *world {
	w := &world{}
	w.Hooks = hooks.New(hooks.Options{
		Mutating:   func(context.Context) ([]*admissionv1.MutatingWebhookConfiguration, error) { return w.mutating, nil },
		Validating: func(context.Context) ([]*admissionv1.ValidatingWebhookConfiguration, error) { return w.validating, nil },
		ValidatingPolicies: func(context.Context) ([]*admissionv1.ValidatingAdmissionPolicy, error) {
			w.reads++
			return w.policies, nil
		},
		ValidatingBindings: func(context.Context) ([]*admissionv1.ValidatingAdmissionPolicyBinding, error) { return w.bindings, nil },
		Params: func(context.Context, schema.GroupVersionKind) (hooks.Params, error) {
			if w.params == nil {
				return nil, nil
			}
			return params(w.params), nil
		},
		Namespace: func(_ context.Context, name string) (*corev1.Namespace, error) {
			return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/metadata.name": name}}}, nil
		},
	})
	t.Cleanup(w.Close)
	return w
}

// params are parameters without a namespace.
type params map[string]runtime.Object

func (params) Resource() string { return "configmaps" }

func (params) Namespaced() bool { return false }

func (p params) Get(_ context.Context, _, name string) (runtime.Object, error) {
	if o := p[name]; o != nil {
		return o, nil
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "params"}, name)
}

func (p params) List(context.Context, string, labels.Selector) ([]runtime.Object, error) {
	var all []runtime.Object
	for _, o := range p {
		all = append(all, o)
	}
	return all, nil
}

// create returns the admission of a ConfigMap, or of another resource.
func create(t *testing.T, name string) (admission.Attributes, *corev1.ConfigMap, admission.ObjectInterfaces) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "n"}}
	a := admission.NewAttributesRecord(object, nil, corev1.SchemeGroupVersion.WithKind("ConfigMap"), "n", name,
		corev1.SchemeGroupVersion.WithResource("configmaps"), "", admission.Create, &metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "u"})
	return a, object, admission.NewObjectInterfacesFromScheme(scheme)
}

// refused returns the message with which the creation of a ConfigMap is refused; empty if it is not.
func (w *world) refused(t *testing.T, name string) string {
	t.Helper()
	a, _, o := create(t, name)
	err := w.Admit(t.Context(), a, o)
	if err == nil {
		err = w.Validate(t.Context(), a, o)
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

var everyConfigMap = admissionv1.RuleWithOperations{
	Operations: []admissionv1.OperationType{admissionv1.Create},
	Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}, Scope: new(admissionv1.AllScopes)},
}

// policy returns a policy with its binding, as the server has them after defaults.
func policy(expression string) (*admissionv1.ValidatingAdmissionPolicy, *admissionv1.ValidatingAdmissionPolicyBinding) {
	p := &admissionv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: "p", UID: "1", Generation: 1},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			FailurePolicy: new(admissionv1.Fail),
			MatchConstraints: &admissionv1.MatchResources{
				NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{}, MatchPolicy: new(admissionv1.Equivalent),
				ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: everyConfigMap}},
			},
			Validations: []admissionv1.Validation{{Expression: expression, Message: "not this one"}},
		},
	}
	b := &admissionv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "b"},
		Spec:       admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "p", ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny}},
	}
	return p, b
}

// TestPolicies checks that policies count from the change on that reports them.
func TestPolicies(t *testing.T) {
	w := newWorld(t)
	expect := func(when, name, want string) {
		t.Helper()
		if got := w.refused(t, name); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
	}
	p, b := policy("object.metadata.name != 'bad'")
	w.policies, w.bindings = []*admissionv1.ValidatingAdmissionPolicy{p}, nil
	expect("before a change", "bad", "")
	if w.reads != 0 {
		t.Error("policies were read though there are none")
	}
	w.Changed(p)
	expect("without a binding", "bad", "")
	w.bindings = []*admissionv1.ValidatingAdmissionPolicyBinding{b}
	expect("before the binding's change", "bad", "")
	w.Changed(b)
	expect("bound", "bad", "not this one")
	expect("bound", "good", "")
	if w.reads != 2 {
		t.Errorf("policies were read %d times, want once after each change", w.reads)
	}
	changed := p.DeepCopy()
	changed.Generation, changed.Spec.Validations[0].Expression = 2, "object.metadata.name != 'good'"
	w.policies[0] = changed
	w.Changed(changed)
	expect("changed", "good", "not this one")
	expect("changed", "bad", "")
	w.policies = nil
	w.Changed(changed)
	expect("deleted", "good", "")
}

// TestParams checks policies with parameters.
func TestParams(t *testing.T) {
	w := newWorld(t)
	p, b := policy("object.metadata.name != params.data.name")
	p.Spec.ParamKind = &admissionv1.ParamKind{APIVersion: "v1", Kind: "ConfigMap"}
	b.Spec.ParamRef = &admissionv1.ParamRef{Name: "q", ParameterNotFoundAction: new(admissionv1.DenyAction)}
	w.policies, w.bindings = []*admissionv1.ValidatingAdmissionPolicy{p}, []*admissionv1.ValidatingAdmissionPolicyBinding{b}
	w.Changed(p)
	for _, c := range []struct {
		name   string
		params map[string]runtime.Object
		of     string
		want   string
	}{
		{"not served", nil, "x", "failed to find resource referenced by paramKind"},
		{"not found", map[string]runtime.Object{}, "x", "no params found"},
		{"allowed", map[string]runtime.Object{"q": &corev1.ConfigMap{Data: map[string]string{"name": "bad"}}}, "x", ""},
		{"denied", map[string]runtime.Object{"q": &corev1.ConfigMap{Data: map[string]string{"name": "bad"}}}, "bad", "not this one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.params = c.params
			if got := w.refused(t, c.of); c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("create object %q: refused with %q, want %q", c.of, got, c.want)
			}
		})
	}
}

// TestExempt checks that a policy cannot concern policies.
func TestExempt(t *testing.T) {
	w := newWorld(t)
	p, b := policy("false")
	p.Spec.MatchConstraints.ResourceRules[0].Rule = admissionv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}, Scope: new(admissionv1.AllScopes)}
	w.policies, w.bindings = []*admissionv1.ValidatingAdmissionPolicy{p}, []*admissionv1.ValidatingAdmissionPolicyBinding{b}
	w.Changed(p)
	if got := w.refused(t, "x"); !strings.Contains(got, "not this one") {
		t.Errorf("create an object that a policy for everything denies: refused with %q, want the policy's message", got)
	}
	_, _, o := create(t, "x")
	gv := admissionv1.SchemeGroupVersion
	a := admission.NewAttributesRecord(p, nil, gv.WithKind("ValidatingAdmissionPolicy"), "", "p", gv.WithResource("validatingadmissionpolicies"), "",
		admission.Create, &metav1.CreateOptions{}, false, &user.DefaultInfo{})
	if err := w.Validate(t.Context(), a, o); err != nil {
		t.Error(err)
	}
}

// TestWebhooks checks that hooks are called from the change on that reports them, until the next one.
func TestWebhooks(t *testing.T) {
	calls := map[string]int{}
	server := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		calls[r.URL.Path]++
		var review admissionapi.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			t.Error(err)
		}
		response := &admissionapi.AdmissionResponse{UID: review.Request.UID, Allowed: r.URL.Path == "/mutate"}
		if response.Allowed {
			response.PatchType, response.Patch = new(admissionapi.PatchTypeJSONPatch), []byte(`[{"op":"add","path":"/data","value":{"a":"b"}}]`)
		} else {
			response.Result = &metav1.Status{Message: "because"}
		}
		review.Response = response
		if err := json.NewEncoder(rw).Encode(review); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	client := func(path string) admissionv1.WebhookClientConfig {
		bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
		return admissionv1.WebhookClientConfig{URL: new(server.URL + path), CABundle: bundle}
	}
	w := newWorld(t)
	a, object, o := create(t, "x")
	both := func() (error, error) { return w.Admit(t.Context(), a, o), w.Validate(t.Context(), a, o) }
	w.mutating = []*admissionv1.MutatingWebhookConfiguration{{
		ObjectMeta: metav1.ObjectMeta{Name: "m", UID: types.UID("m")},
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "m.example.com", ClientConfig: client("/mutate"), Rules: []admissionv1.RuleWithOperations{everyConfigMap}, FailurePolicy: new(admissionv1.Fail),
			MatchPolicy: new(admissionv1.Equivalent), NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
			SideEffects: new(admissionv1.SideEffectClassNone), TimeoutSeconds: new(int32(30)), AdmissionReviewVersions: []string{"v1"},
			ReinvocationPolicy: new(admissionv1.NeverReinvocationPolicy),
		}},
	}}
	if err, other := both(); err != nil || other != nil || len(calls) > 0 {
		t.Errorf("before a change: %v, %v, %v", err, other, calls)
	}
	w.Changed(w.mutating[0])
	if err, other := both(); err != nil || other != nil || object.Data["a"] != "b" || calls["/mutate"] != 1 {
		t.Errorf("mutating: %v, %v, %v, %v", err, other, object.Data, calls)
	}
	w.validating = []*admissionv1.ValidatingWebhookConfiguration{{
		ObjectMeta: metav1.ObjectMeta{Name: "v", UID: types.UID("v")},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "v.example.com", ClientConfig: client("/validate"), Rules: []admissionv1.RuleWithOperations{everyConfigMap}, FailurePolicy: new(admissionv1.Fail),
			MatchPolicy: new(admissionv1.Equivalent), NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
			SideEffects: new(admissionv1.SideEffectClassNone), TimeoutSeconds: new(int32(30)), AdmissionReviewVersions: []string{"v1"},
		}},
	}}
	w.mutating = nil
	w.Reload()
	if err, other := both(); err != nil || other == nil || !strings.Contains(other.Error(), "because") || calls["/mutate"] != 1 {
		t.Errorf("validating: %v, %v, %v", err, other, calls)
	}
}
