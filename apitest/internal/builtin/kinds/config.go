package kinds

import (
	"crypto/tls"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const fixed = "field is immutable when `immutable` is set"

func configMapRules(r *Rules) {
	r.ChangesFirst = true
	r.Validate = func(obj runtime.Object) field.ErrorList {
		c := obj.(*corev1.ConfigMap)
		var errs field.ErrorList
		size := 0
		for key, value := range c.Data {
			path := field.NewPath("data").Key(key)
			errs = append(errs, validateKey(path, key)...)
			if _, ok := c.BinaryData[key]; ok {
				errs = append(errs, field.Invalid(path, key, "duplicate of key present in binaryData"))
			}
			size += len(value)
		}
		for key, value := range c.BinaryData {
			errs = append(errs, validateKey(field.NewPath("binaryData").Key(key), key)...)
			size += len(value)
		}
		if size > corev1.MaxSecretSize {
			errs = append(errs, field.TooLong(field.NewPath(""), "", corev1.MaxSecretSize))
		}
		return errs
	}
	r.ValidateUpdate = func(obj, old runtime.Object) field.ErrorList {
		c, o := obj.(*corev1.ConfigMap), old.(*corev1.ConfigMap)
		if o.Immutable == nil || !*o.Immutable {
			return nil
		}
		errs := validateImmutable(c.Immutable)
		if !equality.Semantic.DeepEqual(c.Data, o.Data) {
			errs = append(errs, field.Forbidden(field.NewPath("data"), fixed))
		}
		if !equality.Semantic.DeepEqual(c.BinaryData, o.BinaryData) {
			errs = append(errs, field.Forbidden(field.NewPath("binaryData"), fixed))
		}
		return errs
	}
}

func validateKey(path *field.Path, key string) field.ErrorList {
	var errs field.ErrorList
	for _, msg := range utilvalidation.IsConfigMapKey(key) {
		errs = append(errs, field.Invalid(path, key, msg))
	}
	return errs
}

func validateImmutable(immutable *bool) field.ErrorList {
	if immutable != nil && *immutable {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("immutable"), fixed)}
}

func secretRules(r *Rules) {
	r.Fields, r.ChangesFirst = secretFields, true
	r.Warn = warnSecret
	r.Validate = func(obj runtime.Object) field.ErrorList {
		s := obj.(*corev1.Secret)
		data := field.NewPath("data")
		var errs field.ErrorList
		size := 0
		for key, value := range s.Data {
			errs = append(errs, validateKey(data.Key(key), key)...)
			size += len(value)
		}
		if size > corev1.MaxSecretSize {
			errs = append(errs, field.TooLong(data, "", corev1.MaxSecretSize))
		}
		return append(errs, validateSecretType(s)...)
	}
	r.ValidateUpdate = func(obj, old runtime.Object) field.ErrorList {
		s, o := obj.(*corev1.Secret), old.(*corev1.Secret)
		errs := validation.ValidateImmutableField(s.Type, o.Type, field.NewPath("type"))
		if o.Immutable == nil || !*o.Immutable {
			return errs
		}
		errs = append(errs, validateImmutable(s.Immutable)...)
		if !equality.Semantic.DeepEqual(s.Data, o.Data) {
			errs = append(errs, field.Forbidden(field.NewPath("data"), fixed))
		}
		return errs
	}
}

// warnSecret warns of a certificate and a key that cannot be used.
func warnSecret(obj, _ runtime.Object) []string {
	s := obj.(*corev1.Secret)
	if s.Type != corev1.SecretTypeTLS {
		return nil
	}
	if _, err := tls.X509KeyPair(s.Data[corev1.TLSCertKey], s.Data[corev1.TLSPrivateKeyKey]); err != nil {
		return []string{err.Error()}
	}
	return nil
}

// validateSecretType checks that a secret contains what its type requires.
func validateSecretType(s *corev1.Secret) field.ErrorList {
	data := field.NewPath("data")
	var errs field.ErrorList
	require := func(keys ...string) {
		for _, key := range keys {
			if _, ok := s.Data[key]; !ok {
				errs = append(errs, field.Required(data.Key(key), ""))
			}
		}
	}
	isJSON := func(key string) {
		if value, ok := s.Data[key]; ok {
			if err := json.Unmarshal(value, &map[string]any{}); err != nil {
				errs = append(errs, field.Invalid(data.Key(key), "<secret contents redacted>", err.Error()))
			}
		}
	}
	switch s.Type {
	case corev1.SecretTypeServiceAccountToken:
		if s.Annotations[corev1.ServiceAccountNameKey] == "" {
			errs = append(errs, field.Required(field.NewPath("metadata", "annotations").Key(corev1.ServiceAccountNameKey), ""))
		}
	case corev1.SecretTypeDockercfg:
		require(corev1.DockerConfigKey)
		isJSON(corev1.DockerConfigKey)
	case corev1.SecretTypeDockerConfigJson:
		require(corev1.DockerConfigJsonKey)
		isJSON(corev1.DockerConfigJsonKey)
	case corev1.SecretTypeBasicAuth:
		_, user := s.Data[corev1.BasicAuthUsernameKey]
		_, password := s.Data[corev1.BasicAuthPasswordKey]
		if !user && !password {
			require(corev1.BasicAuthUsernameKey, corev1.BasicAuthPasswordKey)
		}
	case corev1.SecretTypeSSHAuth:
		if len(s.Data[corev1.SSHAuthPrivateKey]) == 0 {
			errs = append(errs, field.Required(data.Key(corev1.SSHAuthPrivateKey), ""))
		}
	case corev1.SecretTypeTLS:
		require(corev1.TLSCertKey, corev1.TLSPrivateKeyKey)
	}
	return errs
}
