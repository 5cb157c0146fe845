package validation

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"maps"
	"net/mail"
	"slices"
	"strings"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/types"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// How long certificates of pods may be valid, in seconds, and the sizes of what is sent, in bytes.
const (
	shortestCertificate = 60 * 60
	longestCertificate  = 91 * 24 * 60 * 60
	longestOfKubernetes = 24 * 60 * 60

	maxStubRequest      = 10 << 10
	maxCertificateChain = 100 << 10
)

var podCertificateChecks = map[string]check{
	"signer-name": of(func(name *string, at *field.Path) field.ErrorList { return signerName(*name, at) }),
	"user-annotations": of(func(annotations *map[string]string, at *field.Path) field.ErrorList {
		return userAnnotations(*annotations, at)
	}),
	"identity": of(func(uid *types.UID, at *field.Path) field.ErrorList {
		switch {
		case *uid == "":
			return field.ErrorList{field.Invalid(at, *uid, "must not be empty")}
		case len(*uid) > 128:
			return field.ErrorList{field.TooLong(at, *uid, 128)}
		}
		return nil
	}),
	"pod-certificate":        of(podCertificate),
	"pod-certificate-fixed":  changed(podCertificateFixed),
	"pod-certificate-issued": changed(podCertificateIssued),
}

// userAnnotations checks annotations that users hand to signers: each name has a domain.
func userAnnotations(annotations map[string]string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		errs = append(errs, utilvalidation.IsDomainPrefixedKey(at, strings.ToLower(name))...)
	}
	if validation.ValidateAnnotationsSize(annotations) != nil {
		errs = append(errs, field.TooLong(at, "", validation.TotalAnnotationSizeLimitB))
	}
	return errs
}

// longestOf returns for how many seconds a certificate of a signer may be valid at most.
func longestOf(signer string) int32 {
	if domain, _, _ := strings.Cut(signer, "/"); domain == "kubernetes.io" || strings.HasSuffix(domain, ".kubernetes.io") {
		return longestOfKubernetes
	}
	return longestCertificate
}

// podCertificate checks for how long a certificate is requested, and for which key.
func podCertificate(s *certificatesv1.PodCertificateRequestSpec, at *field.Path) field.ErrorList {
	seconds := s.MaxExpirationSeconds
	if seconds == nil {
		return field.ErrorList{field.Required(at.Child("maxExpirationSeconds"), "must be set")}
	}
	var errs field.ErrorList
	if most := longestOf(s.SignerName); *seconds < shortestCertificate || *seconds > most {
		errs = append(errs, field.Invalid(at.Child("maxExpirationSeconds"), *seconds, fmt.Sprintf("must be in the range [%d, %d]", shortestCertificate, most)))
	}
	if len(s.StubPKCS10Request) == 0 {
		return append(errs, field.Invalid(at, field.OmitValueType{}, "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set"))
	}
	return append(errs, stubRequest(s.StubPKCS10Request, at.Child("stubPKCS10Request"))...)
}

// stubRequest checks a signing request, of which only the key and the signature matter.
func stubRequest(text []byte, at *field.Path) field.ErrorList {
	if len(text) > maxStubRequest {
		return field.ErrorList{field.TooLong(at, text, maxStubRequest)}
	}
	request, err := x509.ParseCertificateRequest(text)
	if err != nil {
		return field.ErrorList{field.Invalid(at, field.OmitValueType{}, "must be a valid PKCS#10 CSR")}
	}
	switch key := request.PublicKey.(type) {
	case ed25519.PublicKey:
	case *ecdsa.PublicKey:
		if key.Curve != elliptic.P256() && key.Curve != elliptic.P384() && key.Curve != elliptic.P521() {
			return field.ErrorList{field.Invalid(at, "curve "+key.Curve.Params().Name, "elliptic public keys must use curve P256, P384, or P521")}
		}
	case *rsa.PublicKey:
		if bits := key.Size() * 8; bits != 3072 && bits != 4096 {
			return field.ErrorList{field.Invalid(at, fmt.Sprintf("%d-bit modulus", bits), "RSA keys must have modulus size 3072 or 4096")}
		}
	default:
		return field.ErrorList{field.Invalid(at, field.OmitValueType{}, "unknown public key type; supported types are Ed25519, ECDSA, and RSA")}
	}
	if request.CheckSignature() != nil {
		return field.ErrorList{field.Invalid(at, field.OmitValueType{}, "invalid signature")}
	}
	return nil
}

// podCertificateFixed checks that a request does not change. The message has the fields of all versions of the type.
func podCertificateFixed(now, was *certificatesv1.PodCertificateRequest, _ *field.Path) field.ErrorList {
	s := now.Spec
	if equality.Semantic.DeepEqual(s, was.Spec) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec"), struct {
		SignerName, PodName       string
		PodUID                    types.UID
		ServiceAccountName        string
		ServiceAccountUID         types.UID
		NodeName                  types.NodeName
		NodeUID                   types.UID
		MaxExpirationSeconds      *int32
		PKIXPublicKey             []byte
		ProofOfPossession         []byte
		StubPKCS10Request         []byte
		UnverifiedUserAnnotations map[string]string
	}{
		s.SignerName, s.PodName, s.PodUID, s.ServiceAccountName, s.ServiceAccountUID, s.NodeName, s.NodeUID,
		s.MaxExpirationSeconds, nil, nil, s.StubPKCS10Request, s.UnverifiedUserAnnotations,
	}, validation.FieldImmutableErrorMsg)}
}

// Conditions that end a request for a certificate of a pod.
var endOfRequest = []string{
	certificatesv1.PodCertificateRequestConditionTypeIssued,
	certificatesv1.PodCertificateRequestConditionTypeDenied,
	certificatesv1.PodCertificateRequestConditionTypeFailed,
}

// endedBy returns the condition that has ended a request, or "".
func endedBy(s *certificatesv1.PodCertificateRequestStatus) string {
	for _, c := range s.Conditions {
		if slices.Contains(endOfRequest, c.Type) && c.Status == metav1.ConditionTrue {
			return c.Type
		}
	}
	return ""
}

// podCertificateIssued checks a change of the status: it is made once, and issues, denies or fails.
func podCertificateIssued(now, was *certificatesv1.PodCertificateRequest, _ *field.Path) field.ErrorList {
	at := field.NewPath("status")
	if errs := endingConditions(now.Status.Conditions); len(errs) > 0 {
		return errs
	}
	unless := func(want certificatesv1.PodCertificateRequestStatus, detail string) field.ErrorList {
		if equality.Semantic.DeepEqual(now.Status, want) {
			return nil
		}
		return field.ErrorList{field.Invalid(at, field.OmitValueType{}, detail)}
	}
	if endedBy(&was.Status) != "" {
		return unless(was.Status, "immutable after PodCertificateRequest is issued, denied, or failed")
	}
	switch endedBy(&now.Status) {
	case certificatesv1.PodCertificateRequestConditionTypeIssued:
		return issuedChain(now, at)
	case "":
		return unless(was.Status, `status is immutable unless transitioning to "Issued", "Denied", or "Failed"`)
	}
	return unless(certificatesv1.PodCertificateRequestStatus{Conditions: now.Status.Conditions},
		"non-condition status fields must be empty when denying or failing the PodCertificateRequest")
}

// endingConditions checks that there is at most one condition, of a known type, and that it holds.
func endingConditions(list []metav1.Condition) field.ErrorList {
	var errs field.ErrorList
	known := 0
	for i, c := range list {
		at := field.NewPath("status", "conditions", fmt.Sprintf("[%d]", i)) // with a dot, as in the real server
		if !slices.Contains(endOfRequest, c.Type) {
			errs = append(errs, field.NotSupported(at.Child("type"), c.Type, endOfRequest))
			continue
		}
		if known++; known > 1 {
			errs = append(errs, field.Invalid(at.Child("type"), c.Type, `There may be at most one condition with type "Issued", "Denied", or "Failed"`))
		}
		if c.Status != metav1.ConditionTrue {
			errs = append(errs, field.NotSupported(at.Child("status"), c.Status, []metav1.ConditionStatus{metav1.ConditionTrue}))
		}
	}
	return append(errs, metavalidation.ValidateConditions(list, field.NewPath("status", "conditions"))...)
}

// issuedChain checks the certificates that a signer issues for a request, and the times that it says of them.
func issuedChain(r *certificatesv1.PodCertificateRequest, status *field.Path) field.ErrorList {
	at, chain := status.Child("certificateChain"), r.Status.CertificateChain
	if len(chain) > maxCertificateChain {
		return field.ErrorList{field.TooLong(at, chain, maxCertificateChain)}
	}
	wrong := func(text string) field.ErrorList { return field.ErrorList{field.Invalid(at, chain, text)} }
	block, rest := pem.Decode([]byte(chain))
	switch {
	case block == nil:
		return wrong("issued certificate chain must contain at least one certificate")
	case block.Type != "CERTIFICATE":
		return wrong("issued certificate chain must consist entirely of CERTIFICATE PEM blocks")
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return wrong("leaf certificate does not parse as valid X.509")
	}
	errs := certificateNames(leaf, at)
	request, err := x509.ParseCertificateRequest(r.Spec.StubPKCS10Request)
	if err != nil {
		return append(errs, field.Invalid(field.NewPath("spec", "stubPKCS10Request"), field.OmitValueType{}, "must be a valid PKCS#10 CSR"))
	}
	if key, ok := request.PublicKey.(interface{ Equal(crypto.PublicKey) bool }); ok && !key.Equal(leaf.PublicKey) {
		return append(errs, wrong("leaf certificate was not issued to the requested public key")...)
	}
	if errs = append(errs, missingTimes(&r.Status, status)...); len(errs) > 0 {
		return errs
	}
	if errs := issuedTimes(r, leaf, status); len(errs) > 0 {
		return errs
	}
	for block, rest = pem.Decode(rest); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			return wrong("issued certificate chain must consist entirely of CERTFICATE PEM blocks") // as in the real server
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return wrong("intermediate certificate does not parse as valid X.509")
		}
	}
	return nil
}

// certificateNames checks the names in the certificate of a pod.
func certificateNames(leaf *x509.Certificate, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range leaf.DNSNames {
		if name == "" {
			errs = append(errs, field.Invalid(at, name, "leaf certificate should not contain empty DNSName"))
		}
		if strings.Contains(name, "..") {
			errs = append(errs, field.Invalid(at, name, "leaf certificate's DNSName should not contain '..'"))
		}
		if strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") {
			errs = append(errs, field.Invalid(at, name, "leaf certificate's DNSName should not start or end with '.'"))
		}
	}
	for _, address := range leaf.EmailAddresses {
		if _, err := mail.ParseAddress(address); err != nil {
			errs = append(errs, field.Invalid(at, address, "leaf certificate should not contain invalid EmailAddress"))
		}
	}
	return errs
}

// missingTimes checks that a certificate's times are in the status.
func missingTimes(s *certificatesv1.PodCertificateRequestStatus, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.NotBefore == nil {
		errs = append(errs, field.Required(at.Child("notBefore"), "must be present and consistent with the issued certificate"))
	}
	if s.NotAfter == nil {
		errs = append(errs, field.Required(at.Child("notAfter"), "must be present and consistent with the issued certificate"))
	}
	if s.BeginRefreshAt == nil {
		errs = append(errs, field.Required(at.Child("beginRefreshAt"), "must be present and in the range [notbefore+10min, notafter-10min]"))
	}
	return errs
}

// issuedTimes checks the times in the status of a request, which are those of its certificate.
func issuedTimes(r *certificatesv1.PodCertificateRequest, leaf *x509.Certificate, status *field.Path) field.ErrorList {
	const margin = 10 * time.Minute
	s, from, until, refresh := &r.Status, status.Child("notBefore"), status.Child("notAfter"), status.Child("beginRefreshAt")
	wrong := func(at *field.Path, value any, text string) field.ErrorList {
		return field.ErrorList{field.Invalid(at, value, text)}
	}
	lifetime := leaf.NotAfter.Sub(leaf.NotBefore)
	switch most := *r.Spec.MaxExpirationSeconds; {
	case !s.NotBefore.Time.Equal(leaf.NotBefore):
		return wrong(from, s.NotBefore.Time, "must be set to the NotBefore time encoded in the leaf certificate")
	case time.Since(s.NotBefore.Time).Abs() >= 5*time.Minute:
		return wrong(from, s.NotBefore.Time, "must be set to within 5 minutes of kube-apiserver's current time")
	case !s.NotAfter.Time.Equal(leaf.NotAfter):
		return wrong(until, s.NotAfter.Time, "must be set to the NotAfter time encoded in the leaf certificate")
	case lifetime < time.Hour:
		return wrong(status.Child("certificateChain"), lifetime, "leaf certificate lifetime must be >= 1 hour")
	case lifetime > time.Duration(most)*time.Second:
		return wrong(status.Child("certificateChain"), lifetime, fmt.Sprintf("leaf certificate lifetime must be <= spec.maxExpirationSeconds (%v)", most))
	case s.BeginRefreshAt.Time.Before(s.NotBefore.Add(margin)):
		return wrong(refresh, s.BeginRefreshAt.Time, "must be at least 10 minutes after status.notBefore")
	case s.BeginRefreshAt.After(s.NotAfter.Add(-margin)):
		return wrong(refresh, s.BeginRefreshAt.Time, "must be at least 10 minutes before status.notAfter")
	}
	return nil
}
