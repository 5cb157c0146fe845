package embedded

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/authentication/user"
)

// list sets the status of a review to what its user may do.
func (r *reviews) list(ctx context.Context, who user.Info, review *authorizationv1.SelfSubjectRulesReview) error {
	namespace := review.Spec.Namespace
	if namespace == "" {
		return apierrors.NewBadRequest("no namespace on request")
	}
	*review = authorizationv1.SelfSubjectRulesReview{TypeMeta: review.TypeMeta, Status: authorizationv1.SubjectRulesReviewStatus{
		ResourceRules: []authorizationv1.ResourceRule{}, NonResourceRules: []authorizationv1.NonResourceRule{},
	}}
	status := &review.Status
	rules, ok, err := r.permissions.List(ctx, who, namespace)
	if !ok {
		status.Incomplete = true
		status.EvaluationError = "the authorizer does not support user rule resolution"
		return nil
	}
	if err != nil {
		status.EvaluationError = err.Error()
	}
	for _, rule := range rules {
		if len(rule.Resources) > 0 {
			status.ResourceRules = append(status.ResourceRules, authorizationv1.ResourceRule{
				Verbs: rule.Verbs, APIGroups: rule.APIGroups, Resources: rule.Resources, ResourceNames: rule.ResourceNames,
			})
		}
		if len(rule.NonResourceURLs) > 0 {
			status.NonResourceRules = append(status.NonResourceRules, authorizationv1.NonResourceRule{
				Verbs: rule.Verbs, NonResourceURLs: rule.NonResourceURLs,
			})
		}
	}
	return nil
}
