package validation

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var restartChecks = map[string]check{"container-restarts": of(containerRestarts)}

var (
	restartPolicies = []corev1.ContainerRestartPolicy{
		corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever, corev1.ContainerRestartPolicyOnFailure,
	}
	restartActions   = []corev1.ContainerRestartRuleAction{corev1.ContainerRestartRuleActionRestart, corev1.ContainerRestartRuleActionRestartAllContainers}
	restartOperators = []corev1.ContainerRestartRuleOnExitCodesOperator{
		corev1.ContainerRestartRuleOnExitCodesOpIn, corev1.ContainerRestartRuleOnExitCodesOpNotIn,
	}
)

// containerRestarts checks when a container restarts.
func containerRestarts(c *corev1.Container, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch policy := at.Child("restartPolicy"); {
	case c.RestartPolicy == nil && len(c.RestartPolicyRules) > 0:
		errs = append(errs, field.Required(policy, "must specify restartPolicy when restart rules are used"))
	case c.RestartPolicy != nil && !slices.Contains(restartPolicies, *c.RestartPolicy):
		errs = append(errs, field.NotSupported(policy, *c.RestartPolicy, restartPolicies))
	}
	if n := len(c.RestartPolicyRules); n > 20 {
		errs = append(errs, field.TooMany(at.Child("restartPolicyRules"), n, 20))
	}
	for i, r := range c.RestartPolicyRules {
		rule := at.Child("restartPolicyRules").Index(i)
		if !slices.Contains(restartActions, r.Action) {
			errs = append(errs, field.NotSupported(rule.Child("action"), r.Action, restartActions))
		}
		codes := rule.Child("exitCodes")
		if r.ExitCodes == nil {
			errs = append(errs, field.Required(codes, "must be specified"))
			continue
		}
		if !slices.Contains(restartOperators, r.ExitCodes.Operator) {
			errs = append(errs, field.NotSupported(codes.Child("operator"), r.ExitCodes.Operator, restartOperators))
		}
		if n := len(r.ExitCodes.Values); n > 255 {
			errs = append(errs, field.TooMany(codes.Child("values"), n, 255))
		}
	}
	return errs
}
