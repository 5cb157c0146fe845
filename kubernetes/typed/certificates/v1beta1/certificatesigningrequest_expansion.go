package v1beta1

import (
	"context"

	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/scheme"
)

// CertificateSigningRequestExpansion has the methods of CertificateSigningRequestInterface that are
// written by hand.
type CertificateSigningRequestExpansion interface {
	// UpdateApproval replaces the conditions Approved and Denied of a certificate signing request, and
	// returns the request.
	UpdateApproval(ctx context.Context, certificateSigningRequest *certificatesv1beta1.CertificateSigningRequest, opts metav1.UpdateOptions) (result *certificatesv1beta1.CertificateSigningRequest, err error)
}

func (c *certificateSigningRequests) UpdateApproval(ctx context.Context, certificateSigningRequest *certificatesv1beta1.CertificateSigningRequest, opts metav1.UpdateOptions) (*certificatesv1beta1.CertificateSigningRequest, error) {
	result := &certificatesv1beta1.CertificateSigningRequest{}
	err := c.GetClient().Put().Resource("certificatesigningrequests").
		Name(certificateSigningRequest.Name).SubResource("approval").
		VersionedParams(&opts, scheme.ParameterCodec).Body(certificateSigningRequest).DoInto(ctx, result)
	return result, err
}
