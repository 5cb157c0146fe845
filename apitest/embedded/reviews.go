package embedded

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"github.com/listwatch/listwatch/apitest/internal/rbac"
	"github.com/listwatch/listwatch/apitest/internal/status"
)

// reviews respond to queries about users and their permissions, which are sent by creating objects
// that are not stored.
type reviews struct {
	users       *users
	permissions rbac.Permissions
}

// maxReview is the size of the largest review that is read, in bytes.
const maxReview = 1 << 20

// newReview returns an empty review of a kind, or nil if the kind is not a review.
func newReview(gvr schema.GroupVersionResource) runtime.Object {
	switch gvr {
	case authenticationv1.SchemeGroupVersion.WithResource("selfsubjectreviews"):
		return &authenticationv1.SelfSubjectReview{}
	case authenticationv1.SchemeGroupVersion.WithResource("tokenreviews"):
		return &authenticationv1.TokenReview{}
	case authorizationv1.SchemeGroupVersion.WithResource("selfsubjectaccessreviews"):
		return &authorizationv1.SelfSubjectAccessReview{}
	case authorizationv1.SchemeGroupVersion.WithResource("selfsubjectrulesreviews"):
		return &authorizationv1.SelfSubjectRulesReview{}
	case authorizationv1.SchemeGroupVersion.WithResource("subjectaccessreviews"):
		return &authorizationv1.SubjectAccessReview{}
	case authorizationv1.SchemeGroupVersion.WithResource("localsubjectaccessreviews"):
		return &authorizationv1.LocalSubjectAccessReview{}
	}
	return nil
}

// Groups implements discovery.Source: it describes the supported reviews like the real server.
func (r *reviews) Groups() []apidiscovery.APIGroupDiscovery {
	var groups []apidiscovery.APIGroupDiscovery
	for _, name := range []string{authenticationv1.GroupName, authorizationv1.GroupName} {
		recorded, _, err := facts.Group(name)
		if err != nil {
			continue // as of resources
		}
		group := apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: name}}
		for _, version := range recorded {
			version.Freshness = apidiscovery.DiscoveryFreshnessCurrent
			version.Resources = slices.DeleteFunc(version.Resources, func(resource apidiscovery.APIResourceDiscovery) bool {
				return newReview(schema.GroupVersionResource{Group: name, Version: version.Version, Resource: resource.Resource}) == nil
			})
			if len(version.Resources) > 0 {
				group.Versions = append(group.Versions, version)
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// Version implements discovery.Source: Groups always returns the same.
func (r *reviews) Version() uint64 { return 0 }

// serve handles a request for a review, and reports whether it was one.
func (r *reviews) serve(w http.ResponseWriter, req *http.Request, info *request.RequestInfo) bool {
	review := newReview(schema.GroupVersionResource{Group: info.APIGroup, Version: info.APIVersion, Resource: info.Resource})
	_, local := review.(*authorizationv1.LocalSubjectAccessReview)
	if review == nil || info.Name != "" || info.Subresource != "" || local != (info.Namespace != "") {
		return false
	}
	gv := schema.GroupVersion{Group: info.APIGroup, Version: info.APIVersion}
	err := error(status.MethodNotAllowed())
	if info.Verb == "create" {
		err = r.answer(req, gv, info.Namespace, review)
	}
	if err != nil {
		responsewriters.ErrorNegotiated(err, scheme.Codecs, gv, w, req)
		return true
	}
	responsewriters.WriteObjectNegotiated(scheme.Codecs, negotiation.DefaultEndpointRestrictions, gv, w, req, http.StatusCreated, review, false)
	return true
}

// answer decodes a review from a request and sets its status.
func (r *reviews) answer(req *http.Request, gv schema.GroupVersion, namespace string, review runtime.Object) error {
	input, err := negotiation.NegotiateInputSerializer(req, false, scheme.Codecs)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, req.Body, maxReview))
	if err != nil {
		return apierrors.NewRequestEntityTooLargeError(err.Error())
	}
	if err := runtime.DecodeInto(scheme.Codecs.DecoderToVersion(input.Serializer, gv), body, review); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	ctx := req.Context()
	who, ok := request.UserFrom(ctx)
	if !ok {
		return apierrors.NewBadRequest("no user present on request")
	}
	switch review := review.(type) {
	case *authenticationv1.SelfSubjectReview:
		review.Status.UserInfo = userInfo(who)
	case *authenticationv1.TokenReview:
		return r.token(ctx, review)
	case *authorizationv1.SelfSubjectAccessReview:
		return r.access(ctx, who, &asked{metadata: &review.ObjectMeta, resource: review.Spec.ResourceAttributes, path: review.Spec.NonResourceAttributes}, &review.Status)
	case *authorizationv1.SelfSubjectRulesReview:
		return r.list(ctx, who, review)
	case *authorizationv1.SubjectAccessReview:
		return r.subject(ctx, &review.ObjectMeta, &review.Spec, "", &review.Status)
	case *authorizationv1.LocalSubjectAccessReview:
		return r.subject(ctx, &review.ObjectMeta, &review.Spec, namespace, &review.Status)
	}
	return nil
}

func (r *reviews) token(ctx context.Context, review *authenticationv1.TokenReview) error {
	if review.Spec.Token == "" {
		return apierrors.NewBadRequest("token is required for TokenReview in authentication")
	}
	wanted := apiAudiences
	if len(review.Spec.Audiences) > 0 {
		wanted = review.Spec.Audiences
	}
	const invalid = "invalid bearer token"
	response, ok, err := r.users.AuthenticateToken(authenticator.WithAudiences(ctx, wanted), review.Spec.Token)
	switch {
	case ok:
		review.Status = authenticationv1.TokenReviewStatus{Authenticated: true, User: userInfo(response.User), Audiences: response.Audiences}
	case err != nil:
		review.Status.Error = fmt.Sprintf("[%s, %v]", invalid, err)
	default:
		review.Status.Error = invalid
	}
	return nil
}

// subject reports whether another user has access, in a namespace if that is not "".
func (r *reviews) subject(ctx context.Context, m *metav1.ObjectMeta, spec *authorizationv1.SubjectAccessReviewSpec, namespace string, status *authorizationv1.SubjectAccessReviewStatus) error {
	who := &user.DefaultInfo{Name: spec.User, Groups: spec.Groups, UID: spec.UID, Extra: map[string][]string{}}
	for key, value := range spec.Extra {
		who.Extra[key] = value
	}
	return r.access(ctx, who, &asked{
		metadata: m, resource: spec.ResourceAttributes, path: spec.NonResourceAttributes, nobody: spec.User == "" && len(spec.Groups) == 0, namespace: namespace,
	}, status)
}

// access reports whether a user has access.
func (r *reviews) access(ctx context.Context, who user.Info, a *asked, status *authorizationv1.SubjectAccessReviewStatus) error {
	if err := a.check(); err != nil {
		return err
	}
	attributes := authorizer.AttributesRecord{User: who}
	resource := a.resource
	if resource != nil {
		attributes.ResourceRequest = true
		attributes.Verb = resource.Verb
		attributes.Namespace = resource.Namespace
		attributes.APIGroup = resource.Group
		attributes.APIVersion = resource.Version
		attributes.Resource = resource.Resource
		attributes.Subresource = resource.Subresource
		attributes.Name = resource.Name
	} else {
		attributes.Verb, attributes.Path = a.path.Verb, a.path.Path
	}
	decision, reason, err := r.permissions.Authorize(ctx, attributes)
	*status = authorizationv1.SubjectAccessReviewStatus{
		Allowed: decision == authorizer.DecisionAllow,
		Denied:  decision == authorizer.DecisionDeny,
		Reason:  reason,
	}
	var problems []string
	if err != nil {
		problems = append(problems, err.Error())
	}
	if resource != nil {
		problems = append(problems, ignoredSelectors(resource)...)
	}
	status.EvaluationError = strings.Join(problems, "; ")
	return nil
}

func userInfo(who user.Info) authenticationv1.UserInfo {
	info := authenticationv1.UserInfo{Username: who.GetName(), UID: who.GetUID(), Groups: who.GetGroups()}
	for key, value := range who.GetExtra() {
		if info.Extra == nil {
			info.Extra = map[string]authenticationv1.ExtraValue{}
		}
		info.Extra[key] = value
	}
	return info
}
