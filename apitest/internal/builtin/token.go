package builtin

import (
	"context"
	"fmt"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Tokens authenticate service accounts. They are valid as long as the server runs.
type tokens struct {
	store *registry.Store
	token func(user string, groups ...string) string
}

// New implements rest.Storage.
func (t *tokens) New() runtime.Object { return &authenticationv1.TokenRequest{} }

// Destroy implements rest.Storage. The store is the resource's.
func (t *tokens) Destroy() {}

// AcceptsGroupVersion implements rest.GroupVersionAcceptor.
func (t *tokens) AcceptsGroupVersion(gv schema.GroupVersion) bool {
	return gv == authenticationv1.SchemeGroupVersion
}

// Create implements rest.NamedCreater.
func (t *tokens) Create(ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	req, ok := obj.(*authenticationv1.TokenRequest)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a TokenRequest object: %T", obj))
	}
	found, err := t.store.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	account := found.(*corev1.ServiceAccount)
	kind := authenticationv1.SchemeGroupVersion.WithKind("TokenRequest").GroupKind()
	metadata := field.NewPath("metadata")
	if req.Name != "" && req.Name != name {
		return nil, apierrors.NewInvalid(kind, name, field.ErrorList{field.Invalid(metadata.Child("name"), req.Name, "must match the service account name if specified")})
	}
	if req.Namespace != "" && req.Namespace != account.Namespace {
		return nil, apierrors.NewInvalid(kind, name, field.ErrorList{field.Invalid(metadata.Child("namespace"), req.Namespace, "must match the service account namespace if specified")})
	}
	fillPointer(&req.Spec.ExpirationSeconds, 3600)
	if *req.Spec.ExpirationSeconds < 600 {
		return nil, apierrors.NewInvalid(kind, "", field.ErrorList{field.Invalid(field.NewPath("spec", "expirationSeconds"), *req.Spec.ExpirationSeconds, "may not specify a duration less than 10 minutes")})
	}
	if len(req.Spec.Audiences) == 0 {
		req.Spec.Audiences = []string{"https://kubernetes.default.svc"}
	}
	now := time.Now()
	req.Name, req.Namespace, req.UID = account.Name, account.Namespace, account.UID
	req.CreationTimestamp = metav1.NewTime(now)
	if validate != nil {
		if err := validate(ctx, req.DeepCopy()); err != nil {
			return nil, err
		}
	}
	req.Status = authenticationv1.TokenRequestStatus{
		Token: t.token("system:serviceaccount:"+account.Namespace+":"+name,
			"system:serviceaccounts", "system:serviceaccounts:"+account.Namespace),
		ExpirationTimestamp: metav1.NewTime(now.Add(time.Duration(*req.Spec.ExpirationSeconds) * time.Second)),
	}
	return req, nil
}
