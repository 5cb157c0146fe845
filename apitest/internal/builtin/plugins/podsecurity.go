package plugins

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/warning"
	podsecurity "k8s.io/pod-security-admission/admission"
	configure "k8s.io/pod-security-admission/admission/api"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/metrics"
	"k8s.io/pod-security-admission/policy"
)

// podSecurity checks pods, and what has a pod template, as the labels of their namespace demand. The checks are
// Kubernetes' own. If namespaces are not served, there is nothing that demands any.
func podSecurity(o Options) admission.Interface {
	checks := sync.OnceValues(func() (*podsecurity.Admission, error) { return newPodSecurity(o.Reader) })
	return &rule{operations: onWrite, validate: func(ctx context.Context, a admission.Attributes) error {
		gr := a.GetResource().GroupResource()
		if !o.Namespaces || gr != corev1.Resource("namespaces") && !(podsecurity.DefaultPodSpecExtractor{}).HasPodSpec(gr) {
			return nil
		}
		checks, err := checks()
		if err != nil {
			return apierrors.NewInternalError(err)
		}
		response := checks.Validate(ctx, podAttributes{a})
		for _, text := range response.Warnings {
			warning.AddWarning(ctx, "", text)
		}
		for key, value := range response.AuditAnnotations {
			audit.AddAuditAnnotation(ctx, api.AuditAnnotationPrefix+key, value)
		}
		if response.Allowed {
			return nil
		}
		return rejection(a, response)
	}}
}

func newPodSecurity(r stores.Reader) (*podsecurity.Admission, error) {
	const level, version = string(api.LevelPrivileged), api.VersionLatest
	configuration := &configure.PodSecurityConfiguration{Defaults: configure.PodSecurityDefaults{
		Enforce: level, EnforceVersion: version, Audit: level, AuditVersion: version, Warn: level, WarnVersion: version,
	}}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return nil, fmt.Errorf("build the checks of pod security: %w", err)
	}
	checks := &podsecurity.Admission{
		Configuration: configuration, Evaluator: evaluator, Metrics: unrecorded{},
		PodSpecExtractor: podsecurity.DefaultPodSpecExtractor{}, NamespaceGetter: podNamespaces{r}, PodLister: podNamespaces{r},
	}
	if err = errors.Join(checks.CompleteConfiguration(), checks.ValidateConfiguration()); err != nil {
		return nil, fmt.Errorf("configure pod security: %w", err)
	}
	return checks, nil
}

// rejection returns the error for a response that denies a request.
func rejection(a admission.Attributes, response *admissionv1.AdmissionResponse) error {
	err := admission.NewForbidden(a, errors.New("Not allowed by PodSecurity")) //nolint:staticcheck // upstream's text
	status, result := (*apierrors.StatusError)(nil), response.Result
	if result == nil || !errors.As(err, &status) {
		return err
	}
	if result.Message != "" {
		status.ErrStatus.Message = result.Message
	}
	if result.Reason != "" {
		status.ErrStatus.Reason = result.Reason
	}
	if result.Details != nil {
		status.ErrStatus.Details = result.Details
	}
	if result.Code != 0 {
		status.ErrStatus.Code = result.Code
	}
	return status
}

// podAttributes are the attributes of a request in the form of the checks.
type podAttributes struct{ admission.Attributes }

// GetObject implements api.Attributes.
func (p podAttributes) GetObject() (runtime.Object, error) { return p.Attributes.GetObject(), nil }

// GetOldObject implements api.Attributes.
func (p podAttributes) GetOldObject() (runtime.Object, error) {
	return p.Attributes.GetOldObject(), nil
}

// GetOperation implements api.Attributes.
func (p podAttributes) GetOperation() admissionv1.Operation {
	return admissionv1.Operation(p.Attributes.GetOperation())
}

// GetUserName implements api.Attributes.
func (p podAttributes) GetUserName() string { return p.GetUserInfo().GetName() }

// podNamespaces reads namespaces and their pods.
type podNamespaces struct{ reader stores.Reader }

// GetNamespace implements podsecurity.NamespaceGetter.
func (p podNamespaces) GetNamespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	return Namespace(ctx, p.reader, name)
}

// ListPods implements podsecurity.PodLister.
func (p podNamespaces) ListPods(ctx context.Context, namespace string) ([]*corev1.Pod, error) {
	list, err := stores.ListWritten[corev1.PodList](ctx, p.reader, corev1.SchemeGroupVersion.WithResource("pods"), namespace)
	if err != nil {
		return nil, err
	}
	pods := make([]*corev1.Pod, len(list.Items))
	for i := range list.Items {
		pods[i] = &list.Items[i]
	}
	return pods, nil
}

// unrecorded records no metrics.
type unrecorded struct{}

func (unrecorded) RecordEvaluation(metrics.Decision, api.LevelVersion, metrics.Mode, api.Attributes) {
}
func (unrecorded) RecordExemption(api.Attributes)   {}
func (unrecorded) RecordError(bool, api.Attributes) {}
