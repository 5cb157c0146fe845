package validation

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// projectedPaths checks that each source of a projected volume is one, and that no two have a file of the same path.
func projectedPaths(v *corev1.ProjectedVolumeSource, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	add := func(path, value string) {
		if path != "" && seen[path] {
			errs = append(errs, field.Invalid(at, value, "conflicting duplicate paths"))
		}
		seen[path] = true
	}
	for i, s := range v.Sources {
		source, n := at.Child("sources").Index(i), 0
		if s.Secret != nil {
			n++
			for _, item := range s.Secret.Items {
				add(item.Path, s.Secret.Name)
			}
		}
		if s.ConfigMap != nil {
			n++
			for _, item := range s.ConfigMap.Items {
				add(item.Path, s.ConfigMap.Name)
			}
		}
		if s.DownwardAPI != nil {
			n++
			errs = append(errs, downwardFiles(s.DownwardAPI.Items, source.Child("downwardAPI"))...)
			for _, file := range s.DownwardAPI.Items {
				add(file.Path, file.Path)
			}
		}
		if s.ServiceAccountToken != nil {
			n++
			if s.ServiceAccountToken.Path == "" {
				errs = append(errs, field.Required(at.Child("path"), ""))
			}
			errs = append(errs, insideVisible(&s.ServiceAccountToken.Path, at.Child("path"))...)
		}
		if b := s.ClusterTrustBundle; b != nil {
			n++
			errs = append(errs, projectedBundle(b, source.Child("clusterTrustBundle"))...)
			add(b.Path, b.Path)
		}
		if c := s.PodCertificate; c != nil {
			n++
			errs = append(errs, projectedCertificate(c, source.Child("podCertificate"))...)
			for _, path := range []string{c.CredentialBundlePath, c.KeyPath, c.CertificateChainPath} {
				add(path, path)
			}
		}
		if n > 1 {
			errs = append(errs, field.Forbidden(source, "may not specify more than 1 volume type per source"))
		}
	}
	return errs
}

// projectedBundle checks a file with the certificates of a trust bundle, or of all bundles of a signer.
func projectedBundle(b *corev1.ClusterTrustBundleProjection, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch name := at.Child("name"); {
	case b.Name != nil && b.SignerName != nil:
		errs = append(errs, field.Invalid(at, internal{b}, "only one of name and signerName may be used"))
	case b.Name != nil:
		if *b.Name == "" {
			errs = append(errs, field.Required(name, "must be a valid object name"))
		}
		rest := *b.Name
		if i := strings.LastIndex(rest, ":"); i >= 0 {
			rest = rest[i+1:] // the other parts are those of the signer's name
		}
		for _, text := range validation.NameIsDNSSubdomain(rest, false) {
			errs = append(errs, field.Invalid(name, *b.Name, "not a valid clustertrustbundlename: "+text))
		}
		if b.LabelSelector != nil {
			errs = append(errs, field.Invalid(at.Child("labelSelector"), b.LabelSelector, "labelSelector must be unset if name is specified"))
		}
	case b.SignerName != nil:
		if *b.SignerName == "" {
			errs = append(errs, field.Required(at.Child("signerName"), "must be a valid signer name"))
		}
		errs = append(errs, signerName(*b.SignerName, at.Child("signerName"))...)
		errs = append(errs, metavalidation.ValidateLabelSelector(b.LabelSelector, metavalidation.LabelSelectorValidationOptions{}, at.Child("labelSelector"))...)
	default:
		errs = append(errs, field.Required(at, "either name or signerName must be specified"))
	}
	if b.Path == "" {
		errs = append(errs, field.Required(at.Child("path"), ""))
	}
	return append(errs, insideVisible(&b.Path, at.Child("path"))...)
}

var keyTypes = []string{"RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"}

// projectedCertificate checks the files with a pod's own certificate and its key.
func projectedCertificate(c *corev1.PodCertificateProjection, at *field.Path) field.ErrorList {
	errs := signerName(c.SignerName, at.Child("signerName"))
	errs = append(errs, userAnnotations(c.UserAnnotations, at.Child("userAnnotations"))...)
	if !slices.Contains(keyTypes, c.KeyType) {
		errs = append(errs, field.NotSupported(at.Child("keyType"), c.KeyType, keyTypes))
	}
	if seconds := c.MaxExpirationSeconds; seconds != nil {
		const text = "if provided, maxExpirationSeconds must be "
		if *seconds < shortestCertificate {
			errs = append(errs, field.Invalid(at.Child("maxExpirationSeconds"), *seconds, fmt.Sprintf(text+">= %d", shortestCertificate)))
		}
		if most := longestOf(c.SignerName); *seconds > most {
			errs = append(errs, field.Invalid(at.Child("maxExpirationSeconds"), *seconds, fmt.Sprintf(text+"<= %d", most)))
		}
	}
	named := false
	for _, f := range []struct{ name, path string }{
		{"credentialBundlePath", c.CredentialBundlePath}, {"keyPath", c.KeyPath}, {"certificateChainPath", c.CertificateChainPath},
	} {
		named = named || f.path != ""
		errs = append(errs, insideVisible(&f.path, at.Child(f.name))...)
	}
	if !named {
		errs = append(errs, field.Required(at, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath"))
	}
	return errs
}
