package plugins

import (
	"context"
	"errors"
	"fmt"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
)

// lifecycle allows objects to be created only in namespaces that exist and do not terminate, and protects the
// namespaces that a cluster needs from deletion.
type lifecycle struct {
	reader     stores.Reader
	namespaces bool // the scheme contains them; otherwise every namespace is considered to exist
}

// Handles implements admission.Interface.
func (l *lifecycle) Handles(op admission.Operation) bool {
	return op == admission.Create || op == admission.Update || op == admission.Delete
}

// Admit implements admission.MutationInterface.
func (l *lifecycle) Admit(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	isNamespace := a.GetKind().GroupKind() == corev1.SchemeGroupVersion.WithKind("Namespace").GroupKind()
	switch {
	case a.GetOperation() == admission.Delete && isNamespace && protected[a.GetName()]:
		return apierrors.NewForbidden(a.GetResource().GroupResource(), a.GetName(), errors.New("this namespace may not be deleted"))
	case a.GetOperation() != admission.Create, a.GetNamespace() == "", isNamespace, a.GetResource().Group == "authorization.k8s.io", !l.namespaces:
		return nil
	}
	ns, err := Namespace(ctx, l.reader, a.GetNamespace())
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

// Namespace returns a namespace, which is shared. It is an error if namespaces are not served.
func Namespace(ctx context.Context, r stores.Reader, name string) (*corev1.Namespace, error) {
	st, err := r.Open(namespaces)
	if err == nil && st == nil {
		err = errors.New("they are not served")
	}
	if err != nil {
		return nil, apierrors.NewInternalError(fmt.Errorf("find namespaces: %w", err))
	}
	obj, err := r.Get(ctx, namespaces, "", name)
	if err != nil {
		return nil, err
	}
	ns, ok := obj.(*corev1.Namespace)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("namespace %s is a %T", name, obj))
	}
	return ns, nil
}

var namespaces = corev1.SchemeGroupVersion.WithResource("namespaces")

// protected are the namespaces that cannot be deleted.
var protected = map[string]bool{
	metav1.NamespaceDefault: true,
	metav1.NamespaceSystem:  true,
	metav1.NamespacePublic:  true,
}
