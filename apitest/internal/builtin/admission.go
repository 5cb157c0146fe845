package builtin

import (
	"context"
	"errors"
	"fmt"

	"github.com/listwatch/listwatch/apitest/internal/builtin/defaults"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// namespaceLife allows objects to be created only in namespaces that exist and do not terminate,
// and protects the namespaces that a cluster needs from deletion. It completes new objects.
type namespaceLife struct{ resources *Resources }

// Handles implements admission.Interface.
func (l *namespaceLife) Handles(op admission.Operation) bool {
	return op == admission.Create || op == admission.Update || op == admission.Delete
}

// Admit implements admission.MutationInterface.
func (l *namespaceLife) Admit(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	isNamespace := a.GetKind().GroupKind() == corev1.SchemeGroupVersion.WithKind("Namespace").GroupKind()
	if a.GetOperation() == admission.Delete {
		if isNamespace && immortal[a.GetName()] && l.resources.enabled(namespaceLifecycle) {
			return apierrors.NewForbidden(a.GetResource().GroupResource(), a.GetName(), errors.New("this namespace may not be deleted"))
		}
		return nil
	}
	if l.resources.enabled(namespaceLifecycle) {
		if err := l.life(ctx, a, isNamespace); err != nil {
			return err
		}
	}
	return l.resources.complete(ctx, a)
}

// life rejects new objects in namespaces that are missing or terminating.
func (l *namespaceLife) life(ctx context.Context, a admission.Attributes, isNamespace bool) error {
	if a.GetOperation() != admission.Create || a.GetNamespace() == "" || isNamespace || a.GetResource().Group == "authorization.k8s.io" ||
		!l.resources.options.Scheme.Recognizes(corev1.SchemeGroupVersion.WithKind("Namespace")) {
		return nil
	}
	ns, err := l.resources.namespace(ctx, a.GetNamespace())
	if err != nil {
		return err
	}
	if ns.Status.Phase != corev1.NamespaceTerminating {
		return nil
	}
	err = admission.NewForbidden(a, fmt.Errorf("unable to create new content in namespace %s because it is being terminated", a.GetNamespace()))
	if status := (*apierrors.StatusError)(nil); errors.As(err, &status) {
		status.ErrStatus.Details.Causes = append(status.ErrStatus.Details.Causes, metav1.StatusCause{
			Type:    corev1.NamespaceTerminatingCause,
			Message: fmt.Sprintf("namespace %s is being terminated", a.GetNamespace()),
			Field:   "metadata.namespace",
		})
	}
	return err
}

// namespace returns a namespace, which the caller must not modify.
func (r *Resources) namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	def, err := r.catalog.Find(namespaces)
	if err != nil || def == nil {
		return nil, apierrors.NewInternalError(fmt.Errorf("find namespaces: %w", err))
	}
	st, err := r.storage(def)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	// Errors are about namespaces, whatever the request's resource is.
	ctx = request.WithRequestInfo(request.WithNamespace(ctx, ""), &request.RequestInfo{APIVersion: "v1", Resource: "namespaces"})
	obj, err := st.store.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	ns, ok := obj.(*corev1.Namespace)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("namespace %s is a %T", name, obj))
	}
	return ns, nil
}

// immortal are the namespaces that cannot be deleted.
var immortal = map[string]bool{
	metav1.NamespaceDefault: true,
	metav1.NamespaceSystem:  true,
	metav1.NamespacePublic:  true,
}

// initial are the namespaces that every cluster has from the start.
var initial = []string{metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease, metav1.NamespaceDefault}

// Prepare creates the missing ones of the objects that every cluster has from the start, such as
// the namespace default.
func (r *Resources) Prepare(ctx context.Context) error {
	def, err := r.catalog.Find(namespaces)
	if err != nil || def == nil {
		return err
	}
	st, err := r.storage(def)
	if err != nil {
		return err
	}
	ctx = request.WithNamespace(ctx, "")
	for _, name := range initial {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		defaults.LabelNamespace(ns)
		if _, err := st.store.Create(ctx, ns, nil, &metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("create namespace %s: %w", name, err)
		}
	}
	return nil
}
