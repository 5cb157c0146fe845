package v1

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// NodeExpansion has the methods of NodeInterface that are written by hand.
type NodeExpansion interface {
	// PatchStatus applies a strategic merge patch to the status of a node, and returns the node.
	PatchStatus(ctx context.Context, nodeName string, data []byte) (*corev1.Node, error)
}

func (c *nodes) PatchStatus(ctx context.Context, nodeName string, data []byte) (*corev1.Node, error) {
	result := &corev1.Node{}
	err := c.GetClient().Patch(types.StrategicMergePatchType).Resource("nodes").Name(nodeName).SubResource("status").
		Body(data).DoInto(ctx, result)
	return result, err
}
