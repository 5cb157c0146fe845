package validation

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var signingChecks = map[string]check{
	"certificate-request": of(func(request *[]byte, at *field.Path) field.ErrorList {
		if err := checkRequest(*request); err != nil {
			return field.ErrorList{field.Invalid(at, *request, err.Error())}
		}
		return nil
	}),
	"signing-duration": of(func(seconds *int32, at *field.Path) field.ErrorList {
		if *seconds < 600 {
			return field.ErrorList{field.Invalid(at, *seconds, "may not specify a duration less than 600 seconds (10 minutes)")}
		}
		return nil
	}),
	"signer": of(signer),
	"bundle-signer": of(func(name *string, at *field.Path) field.ErrorList {
		if *name == "" {
			return nil
		}
		return signer(name, at)
	}),
	"trust-bundle":       trustBundle,
	"certificate":        of(certificate),
	"signing-conditions": of(signingConditions),
	"decision": of(func(conditions *[]certificatesv1.CertificateSigningRequestCondition, at *field.Path) field.ErrorList {
		has := func(t certificatesv1.RequestConditionType) bool {
			return slices.ContainsFunc(*conditions, func(c certificatesv1.CertificateSigningRequestCondition) bool { return c.Type == t })
		}
		if !has(certificatesv1.CertificateApproved) || !has(certificatesv1.CertificateDenied) {
			return nil
		}
		const approved, denied = `conditions[{"type": "Approved"}]`, `conditions[{"type": "Denied"}]`
		return field.ErrorList{field.Invalid(at, "{"+approved+", "+denied+"}", "must specify at most one of: `"+approved+"`, `"+denied+"`")}
	}),
	"decision-remains":  changed(decisionRemains),
	"decision-not-here": changed(decisionNotHere),
	"certificate-once": changed(func(now, was *certificatesv1.CertificateSigningRequest, _ *field.Path) field.ErrorList {
		if len(was.Status.Certificate) == 0 || bytes.Equal(now.Status.Certificate, was.Status.Certificate) {
			return nil
		}
		return field.ErrorList{field.Forbidden(field.NewPath("status", "certificate"), "updates may not modify existing certificate content")}
	}),
}

// conditionsOf returns the conditions of a type.
func conditionsOf(r *certificatesv1.CertificateSigningRequest, t certificatesv1.RequestConditionType) []certificatesv1.CertificateSigningRequestCondition {
	return slices.DeleteFunc(slices.Clone(r.Status.Conditions), func(c certificatesv1.CertificateSigningRequestCondition) bool { return c.Type != t })
}

func decisionRemains(now, was *certificatesv1.CertificateSigningRequest, _ *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, t := range []certificatesv1.RequestConditionType{certificatesv1.CertificateApproved, certificatesv1.CertificateDenied, certificatesv1.CertificateFailed} {
		if len(conditionsOf(now, t)) < len(conditionsOf(was, t)) {
			errs = append(errs, field.Forbidden(field.NewPath("status", "conditions"), fmt.Sprintf("updates may not remove a condition of type %q", t)))
		}
	}
	return errs
}

// decisionNotHere checks that only a write of the approval approves or denies. Conditions of these types that are there
// do not change.
func decisionNotHere(now, was *certificatesv1.CertificateSigningRequest, _ *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, t := range []certificatesv1.RequestConditionType{certificatesv1.CertificateApproved, certificatesv1.CertificateDenied} {
		if len(conditionsOf(now, t)) > len(conditionsOf(was, t)) {
			errs = append(errs, field.Forbidden(field.NewPath("status", "conditions"), fmt.Sprintf("updates may not add a condition of type %q", t)))
		}
	}
	return errs
}

func checkRequest(text []byte) error {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return errors.New("PEM block type must be CERTIFICATE REQUEST")
	}
	request, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil {
		return err
	}
	return request.CheckSignature()
}

// signer checks a signer's name, a domain and a path.
func signer(name *string, at *field.Path) field.ErrorList {
	if *name == "kubernetes.io/legacy-unknown" {
		return field.ErrorList{field.Invalid(at, *name, "the legacy signerName is not allowed via this API version")}
	}
	return signerName(*name, at)
}

func signerName(name string, at *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	domain, path, ok := strings.Cut(name, "/")
	if !ok || strings.Contains(path, "/") {
		return field.ErrorList{field.Invalid(at, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")}
	}
	const longest = utilvalidation.DNS1123SubdomainMaxLength
	var errs field.ErrorList
	if len(domain) > longest {
		errs = append(errs, field.TooLong(at, "", longest))
	}
	errs = append(errs, segments(at, domain, utilvalidation.IsDNS1123Label)...)
	if !strings.Contains(domain, ".") {
		errs = append(errs, field.Invalid(at, domain, "should be a domain with at least two segments separated by dots"))
	}
	errs = append(errs, segments(at, path, utilvalidation.IsDNS1123Subdomain)...)
	if limit := 2*longest + utilvalidation.DNS1123LabelMaxLength + 2; len(name) > limit {
		errs = append(errs, field.TooLong(at, "", limit))
	}
	return errs
}

// segments returns what is wrong with the first invalid part of a name with dots.
func segments(at *field.Path, name string, check func(string) []string) field.ErrorList {
	for part := range strings.SplitSeq(name, ".") {
		if texts := check(part); len(texts) > 0 {
			var errs field.ErrorList
			for _, text := range texts {
				errs = append(errs, field.Invalid(at, name, fmt.Sprintf("validating label %q: %s", part, text)))
			}
			return errs
		}
	}
	return nil
}

// signingConditions checks the conditions of a request, of which those that approve or deny exclude each other.
func signingConditions(conditions *[]certificatesv1.CertificateSigningRequestCondition, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[certificatesv1.RequestConditionType]bool{}
	for i, c := range *conditions {
		if c.Type == "" {
			errs = append(errs, field.Required(at.Index(i).Child("type"), ""))
		}
		allowed := []corev1.ConditionStatus{corev1.ConditionFalse, corev1.ConditionTrue, corev1.ConditionUnknown}
		switch c.Type {
		case certificatesv1.CertificateApproved, certificatesv1.CertificateDenied, certificatesv1.CertificateFailed:
			allowed = []corev1.ConditionStatus{corev1.ConditionTrue}
		}
		switch {
		case c.Status == "":
			errs = append(errs, field.Required(at.Index(i).Child("status"), ""))
		case !slices.Contains(allowed, c.Status):
			errs = append(errs, field.NotSupported(at.Index(i).Child("status"), c.Status, allowed))
		}
		if seen[c.Type] {
			errs = append(errs, field.Duplicate(at.Index(i).Child("type"), c.Type))
		}
		seen[c.Type] = true
	}
	return errs
}

// certificate checks what was issued; its text is not in the message.
func certificate(text *[]byte, at *field.Path) field.ErrorList {
	if err := checkCertificates(*text); err != nil {
		return field.ErrorList{field.Invalid(at, "<certificate data>", err.Error())}
	}
	return nil
}

func checkCertificates(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	n := 0
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			return fmt.Errorf("only CERTIFICATE PEM blocks are allowed, found %q", block.Type)
		}
		if len(block.Headers) != 0 {
			return errors.New("no PEM block headers are permitted")
		}
		switch found, err := x509.ParseCertificates(block.Bytes); {
		case err != nil:
			return err
		case len(found) == 0:
			return errors.New("found CERTIFICATE PEM block containing 0 certificates")
		}
		n++
	}
	if n == 0 {
		return errors.New("must contain at least one CERTIFICATE PEM block")
	}
	return nil
}

const (
	maxTrustBundle = 1 << 20 // in bytes
	omitted        = "<value omitted>"
)

// trustBundle checks the certificates of authorities in a text, unless an update leaves it as it is.
func trustBundle(p place) field.ErrorList {
	text := p.value.String()
	if p.old.IsValid() && p.old.String() == text {
		return nil
	}
	if len(text) > maxTrustBundle {
		return field.ErrorList{field.TooLong(p.path, "", maxTrustBundle)}
	}
	var errs field.ErrorList
	seen := map[string][]int{}
	var order []string
	rest := []byte(text)
	for i := 0; ; i++ {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if problem := authorityProblem(block); problem != "" {
			errs = append(errs, field.Invalid(p.path, omitted, fmt.Sprintf("entry %d %s", i, problem)))
			continue
		}
		key := string(block.Bytes)
		if seen[key] == nil {
			order = append(order, key)
		}
		seen[key] = append(seen[key], i)
	}
	switch {
	case len(errs) > 0:
		return errs
	case len(order) == 0:
		return field.ErrorList{field.Invalid(p.path, omitted, "at least one trust anchor must be provided")}
	}
	for _, key := range order {
		if len(seen[key]) > 1 {
			errs = append(errs, field.Invalid(p.path, omitted, fmt.Sprintf("duplicate trust anchor (indices %v)", seen[key])))
		}
	}
	return errs
}

// authorityProblem returns why a block is not the certificate of an authority, or "".
func authorityProblem(block *pem.Block) string {
	if block.Type != "CERTIFICATE" {
		return "has bad block type: " + block.Type
	}
	if len(block.Headers) > 0 {
		return "has PEM block headers"
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	switch {
	case err != nil:
		return "does not parse as X.509"
	case !certificate.IsCA:
		return "does not have the CA bit set"
	case !certificate.BasicConstraintsValid:
		return "has invalid basic constraints"
	}
	return ""
}
