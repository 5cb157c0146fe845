package fake

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	fakegentype "github.com/listwatch/listwatch/runtime/gentype/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

func (c *fakeNodes) PatchStatus(_ context.Context, nodeName string, data []byte) (*corev1.Node, error) {
	action := testing.NewRootPatchSubresourceAction(c.Resource(), nodeName, types.StrategicMergePatchType, data, "status")
	return fakegentype.Invoke(c.Fake.Fake, action, &corev1.Node{})
}
