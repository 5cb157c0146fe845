package v1beta1

import (
	"context"

	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/scheme"
)

// DeploymentExpansion has the methods of DeploymentInterface that are written by hand.
type DeploymentExpansion interface {
	// Rollback returns the deployment that rollback names to an earlier revision. Servers since
	// Kubernetes 1.16 do not have it.
	Rollback(ctx context.Context, rollback *extensionsv1beta1.DeploymentRollback, opts metav1.CreateOptions) error
}

func (c *deployments) Rollback(ctx context.Context, rollback *extensionsv1beta1.DeploymentRollback, opts metav1.CreateOptions) error {
	return c.GetClient().Post().Namespace(c.GetNamespace()).Resource("deployments").Name(rollback.Name).SubResource("rollback").
		VersionedParams(&opts, scheme.ParameterCodec).Body(rollback).DoDiscard(ctx)
}
