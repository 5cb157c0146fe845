package plugins

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// requester records the user that requests a certificate. On the real server it is part of the storage.
func requester() admission.Interface {
	return &rule{operations: onCreate, admit: func(_ context.Context, a admission.Attributes) error {
		if r, ok := written[certificatesv1.CertificateSigningRequest](a); ok {
			requestedBy(r, a.GetUserInfo())
		}
		return nil
	}}
}

func requestedBy(r *certificatesv1.CertificateSigningRequest, u user.Info) {
	r.Spec.Username, r.Spec.UID, r.Spec.Groups, r.Spec.Extra = "", "", nil, nil
	if u == nil {
		return
	}
	r.Spec.Username, r.Spec.UID, r.Spec.Groups = u.GetName(), u.GetUID(), u.GetGroups()
	for key, values := range u.GetExtra() {
		if r.Spec.Extra == nil {
			r.Spec.Extra = map[string]certificatesv1.ExtraValue{}
		}
		r.Spec.Extra[key] = values
	}
}

// mayFor reports whether a user may do something for a signer, or for all signers of its domain.
func mayFor(ctx context.Context, permissions authorizer.UnconditionalAuthorizer, who user.Info, verb, signer string) bool {
	domain, _, _ := strings.Cut(signer, "/")
	for _, name := range []string{signer, domain + "/*"} {
		decision, _, err := permissions.Authorize(ctx, authorizer.AttributesRecord{
			User: who, Verb: verb, Name: name, APIGroup: certificatesv1.GroupName, APIVersion: "*", Resource: "signers", ResourceRequest: true,
		})
		if err == nil && decision == authorizer.DecisionAllow {
			return true
		}
	}
	return false
}

// approveCertificates rejects approvals by users who may not approve for the signer.
func approveCertificates(o Options) admission.Interface {
	return &rule{operations: onUpdate, validate: func(ctx context.Context, a admission.Attributes) error {
		if _, ok := part[certificatesv1.CertificateSigningRequest](a, "approval"); !ok {
			return nil
		}
		was, ok := before[certificatesv1.CertificateSigningRequest](a)
		if !ok || mayFor(ctx, o.Permissions, a.GetUserInfo(), "approve", was.Spec.SignerName) {
			return nil
		}
		return admission.NewForbidden(a, fmt.Errorf("user not permitted to approve requests with signerName %q", was.Spec.SignerName))
	}}
}

// signCertificates rejects changes of certificates and conditions by users who may not sign for the signer.
func signCertificates(o Options) admission.Interface {
	return &rule{operations: onUpdate, validate: func(ctx context.Context, a admission.Attributes) error {
		r, ok := part[certificatesv1.CertificateSigningRequest](a, "status")
		was, known := before[certificatesv1.CertificateSigningRequest](a)
		if !ok || !known || bytes.Equal(was.Status.Certificate, r.Status.Certificate) && equality.Semantic.DeepEqual(was.Status.Conditions, r.Status.Conditions) {
			return nil
		}
		if mayFor(ctx, o.Permissions, a.GetUserInfo(), "sign", was.Spec.SignerName) {
			return nil
		}
		return admission.NewForbidden(a, fmt.Errorf("user not permitted to sign requests with signerName %q", was.Spec.SignerName))
	}}
}

// signPodCertificates rejects changes of the status of requests for certificates of pods by users who may not sign for the
// signer. On the real server it is part of the storage.
func signPodCertificates(o Options) admission.Interface {
	return &rule{operations: onUpdate, validate: func(ctx context.Context, a admission.Attributes) error {
		r, ok := part[certificatesv1.PodCertificateRequest](a, "status")
		was, known := before[certificatesv1.PodCertificateRequest](a)
		if !ok || !known || equality.Semantic.DeepEqual(was.Status, r.Status) || mayFor(ctx, o.Permissions, a.GetUserInfo(), "sign", was.Spec.SignerName) {
			return nil
		}
		return apierrors.NewInvalid(a.GetKind().GroupKind(), r.Name, field.ErrorList{field.Forbidden(field.NewPath("spec", "signerName"),
			fmt.Sprintf("User %q is not permitted to \"sign\" for signer %q", a.GetUserInfo().GetName(), was.Spec.SignerName))})
	}}
}

// attestBundles rejects trust bundles of users who may not attest for their signer. Users may change what garbage
// collection changes.
func attestBundles(o Options) admission.Interface {
	return &rule{operations: onWrite, validate: func(ctx context.Context, a admission.Attributes) error {
		bundle, ok := written[certificatesv1.ClusterTrustBundle](a)
		if !ok || bundle.Spec.SignerName == "" || mayFor(ctx, o.Permissions, a.GetUserInfo(), "attest", bundle.Spec.SignerName) {
			return nil
		}
		if was, ok := before[certificatesv1.ClusterTrustBundle](a); ok && a.GetOperation() == admission.Update && sameExceptOwners(bundle, was) {
			return nil
		}
		return admission.NewForbidden(a, fmt.Errorf("user not permitted to attest for signerName %q", bundle.Spec.SignerName))
	}}
}

// sameExceptOwners reports whether two bundles differ at most in what garbage collection changes.
func sameExceptOwners(bundle, was *certificatesv1.ClusterTrustBundle) bool {
	same := bundle.DeepCopy()
	same.OwnerReferences, same.Finalizers = was.OwnerReferences, was.Finalizers
	same.ManagedFields = was.ManagedFields
	return equality.Semantic.DeepEqual(same, was)
}

// restrictSubjects rejects requests for certificates of clients that would have all permissions.
func restrictSubjects(Options) admission.Interface {
	return &rule{operations: onCreate, validate: func(_ context.Context, a admission.Attributes) error {
		r, ok := written[certificatesv1.CertificateSigningRequest](a)
		if !ok || r.Spec.SignerName != certificatesv1.KubeAPIServerClientSignerName {
			return nil
		}
		parsed, err := parseRequest(r.Spec.Request)
		if err != nil {
			return admission.NewForbidden(a, fmt.Errorf("failed to parse CSR: %w", err))
		}
		if slices.Contains(parsed.Subject.Organization, user.SystemPrivilegedGroup) {
			return admission.NewForbidden(a, fmt.Errorf("use of %s signer with system:masters group is not allowed", certificatesv1.KubeAPIServerClientSignerName))
		}
		return nil
	}}
}

func parseRequest(text []byte) (*x509.CertificateRequest, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return nil, errors.New("PEM block type must be CERTIFICATE REQUEST")
	}
	return x509.ParseCertificateRequest(block.Bytes)
}
