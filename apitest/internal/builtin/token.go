package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Issuer issues the tokens of service accounts, and is the audience of those for the server itself.
const Issuer = "https://kubernetes.default.svc.cluster.local"

// Token describes a token of a service account.
type Token struct {
	Namespace, Account string
	UID                types.UID // the account's
	Audiences          []string
	Bound              *Bound // nil means none
	Node               *Bound // of the bound pod; nil means none
	Issued, Expires    time.Time
	WarnAfter          time.Time // when its owner should have a newer one; zero means never
}

// Bound is the object that a token is bound to.
type Bound struct {
	Kind string // "pod", "secret" or "node"
	Name string
	UID  types.UID // "" if the node of a pod does not exist
}

const (
	// volumeSeconds is the time that pods request for the tokens in their volumes: an hour, and seven seconds
	// by which the server knows them.
	volumeSeconds = 3607
	// extended is how long the server accepts such a token, for programs that read it only once.
	extended = 365 * 24 * time.Hour
)

// CheckToken returns an error if a token's service account, or the object that it is bound to, does not exist
// any more.
func (r *Resources) CheckToken(ctx context.Context, t Token) error {
	uid, err := r.uid(ctx, "serviceaccounts", t.Namespace, t.Account)
	if err != nil {
		return err
	}
	if uid != t.UID {
		return fmt.Errorf("service account UID (%s) does not match claim (%s)", uid, t.UID)
	}
	if t.Bound == nil {
		return nil
	}
	if uid, err := r.uid(ctx, t.Bound.Kind+"s", t.Namespace, t.Bound.Name); err != nil || uid != t.Bound.UID {
		return errors.New("service account token has been invalidated")
	}
	return nil
}

// uid returns the UID of a core object.
func (r *Resources) uid(ctx context.Context, resource, namespace, name string) (types.UID, error) {
	obj, err := r.get(ctx, resource, namespace, name)
	if err != nil {
		return "", err
	}
	return obj.GetUID(), nil
}

// get returns a core object, which the caller owns.
func (r *Resources) get(ctx context.Context, resource, namespace, name string) (metav1.Object, error) {
	gvr := corev1.SchemeGroupVersion.WithResource(resource)
	def, err := r.catalog.Find(gvr)
	if err != nil {
		return nil, err
	}
	if def == nil {
		return nil, apierrors.NewNotFound(gvr.GroupResource(), name)
	}
	st, err := r.storage(def)
	if err != nil {
		return nil, err
	}
	if !def.Namespaced() {
		namespace = ""
	}
	ctx = request.WithRequestInfo(request.WithNamespace(ctx, namespace), &request.RequestInfo{APIVersion: gvr.Version, Resource: resource})
	obj, err := st.store.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return meta.Accessor(obj)
}

// bind checks the object that a token is requested for, if any, and returns it with the node of a pod.
func (r *Resources) bind(ctx context.Context, namespace, account string, ref *authenticationv1.BoundObjectReference) (bound, node *Bound, err error) {
	if ref == nil {
		return nil, nil, nil
	}
	gvk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
	if gvk.Group != "" || gvk.Version != "v1" || ref.Kind != "Pod" && ref.Kind != "Secret" && ref.Kind != "Node" {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("cannot bind token to object of type %s", gvk))
	}
	kind := strings.ToLower(ref.Kind)
	obj, err := r.get(ctx, kind+"s", namespace, ref.Name)
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
		if node, err = r.nodeOf(ctx, pod); err != nil {
			return nil, nil, err
		}
	}
	return &Bound{Kind: kind, Name: ref.Name, UID: uid}, node, nil
}

// nodeOf returns the node of a pod, which need not exist.
func (r *Resources) nodeOf(ctx context.Context, pod *corev1.Pod) (*Bound, error) {
	uid, err := r.uid(ctx, "nodes", "", pod.Spec.NodeName)
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, err
	}
	return &Bound{Kind: "node", Name: pod.Spec.NodeName, UID: uid}, nil
}

// tokens is the storage that creates tokens for service accounts.
type tokens struct {
	resources *Resources
	store     *registry.Store
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
	if req.Spec.ExpirationSeconds == nil {
		req.Spec.ExpirationSeconds = new(int64(3600))
	}
	if *req.Spec.ExpirationSeconds < 600 {
		return nil, apierrors.NewInvalid(kind, "", field.ErrorList{field.Invalid(field.NewPath("spec", "expirationSeconds"), *req.Spec.ExpirationSeconds, "may not specify a duration less than 10 minutes")})
	}
	if *req.Spec.ExpirationSeconds > 1<<32 {
		return nil, apierrors.NewInvalid(kind, "", field.ErrorList{field.Invalid(field.NewPath("spec", "expirationSeconds"), *req.Spec.ExpirationSeconds, "may not specify a duration larger than 2^32 seconds")})
	}
	if len(req.Spec.Audiences) == 0 {
		req.Spec.Audiences = []string{Issuer}
	}
	bound, node, err := t.resources.bind(ctx, account.Namespace, name, req.Spec.BoundObjectRef)
	if err != nil {
		return nil, err
	}
	now := t.resources.options.Backend.Clock().Now()
	req.Name, req.Namespace, req.UID = account.Name, account.Namespace, account.UID
	req.CreationTimestamp = metav1.NewTime(now)
	if validate != nil {
		if err = validate(ctx, req.DeepCopy()); err != nil {
			return nil, err
		}
	}
	expires := now.Add(time.Duration(*req.Spec.ExpirationSeconds) * time.Second)
	granted := Token{
		Namespace: account.Namespace, Account: name, UID: account.UID,
		Audiences: req.Spec.Audiences, Bound: bound, Node: node, Issued: now, Expires: expires,
	}
	if *req.Spec.ExpirationSeconds == volumeSeconds && bound != nil && bound.Kind == "pod" && slices.Equal(req.Spec.Audiences, []string{Issuer}) {
		granted.WarnAfter, granted.Expires = expires, now.Add(extended)
	}
	token, err := t.resources.options.Token(granted)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	req.Status = authenticationv1.TokenRequestStatus{Token: token, ExpirationTimestamp: metav1.NewTime(expires)}
	return req, nil
}
