package csr

import (
	"context"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"reflect"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/cert"
)

// legacySigner is the name of the signer that only v1beta1 has.
const legacySigner = "kubernetes.io/legacy-unknown"

// RequestCertificate is [RequestCertificateWithContext] without a context.
//
// Deprecated: use [RequestCertificateWithContext].
func RequestCertificate(client kubernetes.Interface, csrData []byte, name, signerName string, requestedDuration *time.Duration, usages []certificatesv1.KeyUsage, privateKey any) (reqName string, reqUID types.UID, err error) {
	return RequestCertificateWithContext(context.Background(), client, csrData, name, signerName, requestedDuration, usages, privateKey)
}

// RequestCertificateWithContext creates a certificate signing request and returns its name and UID. csrData is the
// request as PEM. If there is one with the name already, for the same subject and signer, and signed with
// privateKey, a crypto.Signer, that is used. Without a name, the server chooses it. requestedDuration, unless it is nil,
// is how long the certificate should be valid; the signer may choose another time.
func RequestCertificateWithContext(ctx context.Context, client kubernetes.Interface, csrData []byte, name, signerName string, requestedDuration *time.Duration, usages []certificatesv1.KeyUsage, privateKey any) (reqName string, reqUID types.UID, err error) {
	request := &certificatesv1.CertificateSigningRequest{
		TypeMeta:   metav1.TypeMeta{Kind: "CertificateSigningRequest"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: certificatesv1.CertificateSigningRequestSpec{
			Request:    csrData,
			Usages:     usages,
			SignerName: signerName,
		},
	}
	if name == "" {
		request.GenerateName = "csr-"
	}
	if requestedDuration != nil {
		request.Spec.ExpirationSeconds = DurationToExpirationSeconds(*requestedDuration)
	}
	logger := klog.FromContext(ctx)
	created, err := create(ctx, client, request)
	if err == nil {
		logger.V(2).Info("Certificate signing request created", "csr", created.Name)
		return created.Name, created.UID, nil
	}
	if name == "" || !apierrors.IsAlreadyExists(err) {
		return "", "", wrap("cannot create certificate signing request", err)
	}
	existing, err := get(ctx, client, name)
	if err != nil {
		return "", "", wrap("cannot retrieve certificate signing request", err)
	}
	if err := ensureCompatible(existing, request, privateKey); err != nil {
		return "", "", fmt.Errorf("retrieved csr is not compatible: %w", err)
	}
	logger.Info("Using the certificate signing request that exists", "csr", name)
	return existing.Name, existing.UID, nil
}

// DurationToExpirationSeconds returns a duration as requests have it.
func DurationToExpirationSeconds(duration time.Duration) *int32 {
	seconds := int32(duration / time.Second)
	return &seconds
}

// ExpirationSecondsToDuration returns a duration that a request has.
func ExpirationSecondsToDuration(expirationSeconds int32) time.Duration {
	return time.Duration(expirationSeconds) * time.Second
}

// create creates a request, in v1beta1 if the server does not have v1, or v1 cannot express it.
func create(ctx context.Context, client kubernetes.Interface, request *certificatesv1.CertificateSigningRequest) (*certificatesv1.CertificateSigningRequest, error) {
	spec := &request.Spec
	if len(spec.Usages) > 0 && spec.SignerName != "" && spec.SignerName != legacySigner {
		created, err := client.CertificatesV1().CertificateSigningRequests().Create(ctx, request, metav1.CreateOptions{})
		if err == nil || !apierrors.IsNotFound(err) {
			return created, err
		}
	}
	old := &certificatesv1beta1.CertificateSigningRequest{
		ObjectMeta: request.ObjectMeta,
		Spec:       certificatesv1beta1.CertificateSigningRequestSpec{SignerName: &spec.SignerName, Request: spec.Request},
	}
	for _, usage := range spec.Usages {
		old.Spec.Usages = append(old.Spec.Usages, certificatesv1beta1.KeyUsage(usage))
	}
	created, err := client.CertificatesV1beta1().CertificateSigningRequests().Create(ctx, old, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	return fromV1beta1(created), nil
}

// get reads a request.
func get(ctx context.Context, client kubernetes.Interface, name string) (*certificatesv1.CertificateSigningRequest, error) {
	request, err := client.CertificatesV1().CertificateSigningRequests().Get(ctx, name, metav1.GetOptions{})
	if err == nil || !apierrors.IsNotFound(err) {
		return request, err
	}
	old, err := client.CertificatesV1beta1().CertificateSigningRequests().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return fromV1beta1(old), nil
}

// fromV1beta1 returns a request in v1. Both share data.
func fromV1beta1(old *certificatesv1beta1.CertificateSigningRequest) *certificatesv1.CertificateSigningRequest {
	request := &certificatesv1.CertificateSigningRequest{
		ObjectMeta: old.ObjectMeta,
		Spec:       certificatesv1.CertificateSigningRequestSpec{Request: old.Spec.Request},
		Status:     certificatesv1.CertificateSigningRequestStatus{Certificate: old.Status.Certificate},
	}
	if old.Spec.SignerName != nil {
		request.Spec.SignerName = *old.Spec.SignerName
	}
	for _, usage := range old.Spec.Usages {
		request.Spec.Usages = append(request.Spec.Usages, certificatesv1.KeyUsage(usage))
	}
	for _, c := range old.Status.Conditions {
		request.Status.Conditions = append(request.Status.Conditions, certificatesv1.CertificateSigningRequestCondition{
			Type: certificatesv1.RequestConditionType(c.Type), Status: c.Status, Reason: c.Reason, Message: c.Message,
		})
	}
	return request
}

// ensureCompatible returns an error if an existing request cannot be used in place of a new one.
func ensureCompatible(existing, request *certificatesv1.CertificateSigningRequest, privateKey any) error {
	has, err := parse(existing.Spec.Request)
	if err != nil {
		return fmt.Errorf("unable to parse new csr: %w", err)
	}
	wants, err := parse(request.Spec.Request)
	if err != nil {
		return fmt.Errorf("unable to parse original csr: %w", err)
	}
	if !reflect.DeepEqual(has.Subject, wants.Subject) {
		return fmt.Errorf("csr subjects differ: new: %v, orig: %v", has.Subject, wants.Subject)
	}
	if a, b := existing.Spec.SignerName, request.Spec.SignerName; a != "" && b != "" && a != b {
		return fmt.Errorf("csr signerNames differ: new %q, orig: %q", a, b)
	}
	signer, ok := privateKey.(crypto.Signer)
	if !ok {
		return errors.New("privateKey is not a signer")
	}
	has.PublicKey = signer.Public()
	if err = has.CheckSignature(); err != nil {
		return fmt.Errorf("the existing csr was signed with another key: %w", err)
	}
	if len(existing.Status.Certificate) == 0 {
		return nil
	}
	certs, err := cert.ParseCertsPEM(existing.Status.Certificate)
	if err != nil {
		return fmt.Errorf("error parsing the certificate of the existing csr: %w", err)
	}
	for _, c := range certs {
		if time.Now().After(c.NotAfter) {
			return fmt.Errorf("a certificate of the existing csr has expired: %s", c.NotAfter)
		}
	}
	return nil
}

// parse returns the request in a PEM block.
func parse(data []byte) (*x509.CertificateRequest, error) {
	block, _ := pem.Decode(data)
	if block == nil || block.Type != cert.CertificateRequestBlockType {
		return nil, errors.New("PEM block type must be " + cert.CertificateRequestBlockType)
	}
	return x509.ParseCertificateRequest(block.Bytes)
}

// wrap adds text to an error. That of a server keeps its type.
func wrap(text string, err error) error {
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		wrapped := &apierrors.StatusError{ErrStatus: status.Status()}
		wrapped.ErrStatus.Message = text + ": " + wrapped.ErrStatus.Message
		return wrapped
	}
	return fmt.Errorf("%s: %w", text, err)
}
