package controllers

import (
	"context"
	"errors"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applyv1 "k8s.io/client-go/applyconfigurations/admissionregistration/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// policyManager is the field manager of the status of policies.
const policyManager = "validatingadmissionpolicy-status"

// PolicyTypes sets the status of ValidatingAdmissionPolicies: status.typeChecking has a warning for each validation
// whose expression fails for the objects that the policy concerns, for example because they have no such field. As in a
// cluster, kinds that a policy names with wildcards are not checked, nor is a policy again when a CRD changes.
func PolicyTypes() embedded.Controller { return policyTypes{} }

type policyTypes struct{}

// Reconcile implements embedded.Controller.
func (policyTypes) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	var errs []error
	for _, change := range changes {
		if !change.Deleted && change.Resource.GroupResource() == admissionv1.Resource("validatingadmissionpolicies") {
			errs = append(errs, checkPolicy(ctx, cluster, change.Object.Name))
		}
	}
	return errors.Join(errs...)
}

// checkPolicy sets the status of a policy that has changed.
func checkPolicy(ctx context.Context, cluster *embedded.Cluster, name string) error {
	policies := cluster.Clients.AdmissionregistrationV1().ValidatingAdmissionPolicies()
	policy, err := policies.Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || err == nil && policy.Generation <= policy.Status.ObservedGeneration {
		return nil
	}
	if err != nil {
		return err
	}
	types := applyv1.TypeChecking()
	for _, w := range cluster.CheckTypes(ctx, policy) {
		types.WithExpressionWarnings(applyv1.ExpressionWarning().WithFieldRef(w.FieldRef).WithWarning(w.Warning))
	}
	status := applyv1.ValidatingAdmissionPolicyStatus().WithObservedGeneration(policy.Generation).WithTypeChecking(types)
	_, err = policies.ApplyStatus(ctx, applyv1.ValidatingAdmissionPolicy(name).WithStatus(status),
		metav1.ApplyOptions{FieldManager: policyManager, Force: true})
	return ignore(err)
}
