package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	admissionreview "k8s.io/api/admission/v1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// admitting lets a program review the config maps that users create: review returns annotations to add, or why a config
// map is refused.
func (p Program) admitting(review func(o *Operator, cm *corev1.ConfigMap) (map[string]string, error)) Program {
	p.changes = append(p.changes, func(o *Operator) { o.review = review })
	return p
}

// errRefused is in the error of a refused config map.
var errRefused = errors.New("refused")

// ServeHTTP reviews a config map.
func (o *Operator) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	review := admissionreview.AdmissionReview{}
	cm := &corev1.ConfigMap{}
	err := json.NewDecoder(req.Body).Decode(&review)
	if err == nil {
		err = json.Unmarshal(review.Request.Object.Raw, cm)
	}
	var annotations map[string]string
	if err == nil {
		annotations, err = o.review(o, cm)
	}
	if err != nil && !errors.Is(err, errRefused) {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	response := &admissionreview.AdmissionResponse{UID: review.Request.UID, Allowed: err == nil}
	if err != nil {
		response.Result = &metav1.Status{Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: err.Error()}
	}
	if len(annotations) > 0 {
		kind := admissionreview.PatchTypeJSONPatch
		patch, _ := json.Marshal([]any{map[string]any{"op": "add", "path": "/metadata/annotations", "value": annotations}}) // of strings
		response.Patch, response.PatchType = patch, &kind
	}
	review.Request, review.Response = nil, response
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(review) // the server reports a missing response
}

const webhookName = "requests.example.com"

var (
	reviewed = []admissionv1.RuleWithOperations{{
		Operations: []admissionv1.OperationType{admissionv1.Create},
		Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}},
	}}
	requests = &metav1.LabelSelector{MatchLabels: map[string]string{"request": "yes"}}
	none     = admissionv1.SideEffectClassNone
	service  = admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "default", Name: "operator"}}
)

// mutating has the server call the program's webhook, which may modify.
func mutating() embedded.Option {
	return embedded.WithObjects(&admissionv1.MutatingWebhookConfiguration{
		TypeMeta: metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration"}, ObjectMeta: metav1.ObjectMeta{Name: "operator"},
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: webhookName, ClientConfig: service, Rules: reviewed, ObjectSelector: requests, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
		}},
	})
}

// validating has the server call the program's webhook, which may refuse.
func validating() embedded.Option {
	return embedded.WithObjects(&admissionv1.ValidatingWebhookConfiguration{
		TypeMeta: metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration"}, ObjectMeta: metav1.ObjectMeta{Name: "operator"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: webhookName, ClientConfig: service, Rules: reviewed, ObjectSelector: requests, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
		}},
	})
}

// together lets several users act at the same time, one a moment after the other. A user gives up what is refused.
func together(all ...Step) Step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		results := make([]error, len(all))
		var users sync.WaitGroup
		for i, s := range all {
			users.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				if results[i] = s(ctx, kube); apierrors.IsForbidden(results[i]) {
					results[i] = nil
				}
			})
		}
		users.Wait()
		return errors.Join(results...)
	}
}

func colored(color string) func(*corev1.ConfigMap) {
	return func(cm *corev1.ConfigMap) { cm.Annotations = map[string]string{"color": color} }
}
