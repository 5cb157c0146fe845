package fake

import (
	"context"

	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	fakegentype "github.com/listwatch/listwatch/runtime/gentype/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

func (c *fakeCertificateSigningRequests) UpdateApproval(_ context.Context, certificateSigningRequest *certificatesv1beta1.CertificateSigningRequest, _ metav1.UpdateOptions) (*certificatesv1beta1.CertificateSigningRequest, error) {
	action := testing.NewRootUpdateSubresourceAction(c.Resource(), "approval", certificateSigningRequest)
	return fakegentype.Invoke(c.Fake.Fake, action, &certificatesv1beta1.CertificateSigningRequest{})
}
