package subresource

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"github.com/listwatch/listwatch/apitest/internal/token"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

const (
	// volumeSeconds is the time that pods request for the tokens in their volumes: an hour, and seven seconds
	// by which the server knows them.
	volumeSeconds = 3607
	// extended is how long the server accepts such a token, for programs that read it only once.
	extended = 365 * 24 * time.Hour
)

// CheckToken returns an error if a token's service account, or the object that it is bound to, does not exist
// any more.
func CheckToken(ctx context.Context, r stores.Reader, t token.Token) error {
	uid, err := uidOf(ctx, r, "serviceaccounts", t.Namespace, t.Account)
	if err != nil {
		return err
	}
	if uid != t.UID {
		return fmt.Errorf("service account UID (%s) does not match claim (%s)", uid, t.UID)
	}
	if t.Bound == nil {
		return nil
	}
	if uid, err := uidOf(ctx, r, t.Bound.Kind+"s", t.Namespace, t.Bound.Name); err != nil || uid != t.Bound.UID {
		return errors.New("service account token has been invalidated")
	}
	return nil
}

// uidOf returns the UID of a core object.
func uidOf(ctx context.Context, r stores.Reader, resource, namespace, name string) (types.UID, error) {
	obj, err := get(ctx, r, resource, namespace, name)
	if err != nil {
		return "", err
	}
	return obj.GetUID(), nil
}

// get returns a core object, which is shared.
func get(ctx context.Context, r stores.Reader, resource, namespace, name string) (metav1.Object, error) {
	obj, err := r.Get(ctx, corev1.SchemeGroupVersion.WithResource(resource), namespace, name)
	if err != nil {
		return nil, err
	}
	return meta.Accessor(obj)
}

// bind checks the object that a token is requested for, if any, and returns it with the node of a pod.
func bind(ctx context.Context, r stores.Reader, namespace, account string, ref *authenticationv1.BoundObjectReference) (bound, node *token.Bound, err error) {
	if ref == nil {
		return nil, nil, nil
	}
	gvk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
	if gvk.Group != "" || ref.Kind != "Pod" && ref.Kind != "Secret" && ref.Kind != "Node" {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("cannot bind token to object of type %s", gvk))
	}
	kind := strings.ToLower(ref.Kind)
	obj, err := get(ctx, r, kind+"s", namespace, ref.Name)
	if err != nil {
		return nil, nil, err
	}
	pod, isPod := obj.(*corev1.Pod)
	if isPod && pod.Spec.ServiceAccountName != account {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("cannot bind token for serviceaccount %q to pod running with different serviceaccount name.", account))
	}
	uid := obj.GetUID()
	if ref.UID != "" && ref.UID != uid {
		return nil, nil, apierrors.NewConflict(schema.GroupResource{Group: gvk.Group, Resource: gvk.Kind}, ref.Name, fmt.Errorf(
			"the UID in the bound object reference (%s) does not match the UID in record. The object might have been deleted and then recreated", ref.UID))
	}
	if isPod && pod.Spec.NodeName != "" {
		if node, err = nodeOf(ctx, r, pod); err != nil {
			return nil, nil, err
		}
	}
	return &token.Bound{Kind: kind, Name: ref.Name, UID: uid}, node, nil
}

// nodeOf returns the node of a pod, which need not exist.
func nodeOf(ctx context.Context, r stores.Reader, pod *corev1.Pod) (*token.Bound, error) {
	uid, err := uidOf(ctx, r, "nodes", "", pod.Spec.NodeName)
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, err
	}
	return &token.Bound{Kind: "node", Name: pod.Spec.NodeName, UID: uid}, nil
}

// Tokens is the storage that creates tokens for service accounts.
type Tokens struct {
	Accounts *registry.Store
	Reader   stores.Reader // of what tokens are bound to
	Issue    func(token.Token) (string, error)
}

// New implements rest.Storage.
func (t *Tokens) New() runtime.Object { return &authenticationv1.TokenRequest{} }

// Destroy implements rest.Storage. The store is the resource's.
func (t *Tokens) Destroy() {}

// AcceptsGroupVersion implements rest.GroupVersionAcceptor.
func (t *Tokens) AcceptsGroupVersion(gv schema.GroupVersion) bool {
	return gv == authenticationv1.SchemeGroupVersion
}

// PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate implements rest.SubresourceObjectMetaPreserver: a request may
// have the UID of its account.
func (t *Tokens) PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate() bool { return true }

// Create implements rest.NamedCreater.
func (t *Tokens) Create(ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	req, ok := obj.(*authenticationv1.TokenRequest)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a TokenRequest object: %T", obj))
	}
	kind := authenticationv1.SchemeGroupVersion.WithKind("TokenRequest").GroupKind()
	metadata := field.NewPath("metadata")
	if req.Name != "" && req.Name != name {
		return nil, apierrors.NewInvalid(kind, name, field.ErrorList{field.Invalid(metadata.Child("name"), req.Name, "must match the service account name if specified")})
	}
	found, err := t.Accounts.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	account := found.(*corev1.ServiceAccount)
	if req.Namespace != "" && req.Namespace != account.Namespace {
		return nil, apierrors.NewInvalid(kind, name, field.ErrorList{field.Invalid(metadata.Child("namespace"), req.Namespace, "must match the service account namespace if specified")})
	}
	if req.UID != "" && req.UID != account.UID {
		return nil, apierrors.NewConflict(schema.GroupResource{Group: kind.Group, Resource: kind.Kind}, name, fmt.Errorf(
			"the UID in the token request (%s) does not match the UID of the service account (%s)", req.UID, account.UID))
	}
	if req.Spec.ExpirationSeconds == nil {
		req.Spec.ExpirationSeconds = new(int64(3600))
	}
	if len(req.Spec.Audiences) == 0 {
		req.Spec.Audiences = []string{token.Server}
	}
	if errs := invalidToken(&req.Spec); len(errs) > 0 {
		return nil, apierrors.NewInvalid(kind, "", errs)
	}
	now := t.Reader.Backend.Clock().Now()
	req.Name, req.Namespace, req.UID = account.Name, account.Namespace, account.UID
	req.CreationTimestamp = metav1.NewTime(now)
	if validate != nil {
		if err = validate(ctx, req.DeepCopy()); err != nil {
			return nil, err
		}
	}
	bound, node, err := bind(ctx, t.Reader, account.Namespace, name, req.Spec.BoundObjectRef)
	if err != nil {
		return nil, err
	}
	expires := now.Add(time.Duration(*req.Spec.ExpirationSeconds) * time.Second)
	granted := token.Token{
		Namespace: account.Namespace, Account: name, UID: account.UID,
		Audiences: req.Spec.Audiences, Bound: bound, Node: node, Issued: now, Expires: expires,
	}
	if *req.Spec.ExpirationSeconds == volumeSeconds && bound != nil && bound.Kind == "pod" && slices.Equal(req.Spec.Audiences, []string{token.Server}) {
		granted.WarnAfter, granted.Expires = expires, now.Add(extended)
	}
	text, err := t.Issue(granted)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	req.Status = authenticationv1.TokenRequestStatus{Token: text, ExpirationTimestamp: metav1.NewTime(expires)}
	return req, nil
}
