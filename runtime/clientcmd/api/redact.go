package api

import (
	"encoding/base64"
	"strings"
)

// redacted replaces a secret.
const redacted = "REDACTED"

// ShortenConfig replaces certificates and keys in config by data that is encoded as DATA+OMITTED, and tokens by
// REDACTED, so that the config is readable for people. It does not remove all secrets; RedactSecrets does.
func ShortenConfig(config *Config) {
	for _, user := range config.AuthInfos {
		shorten(&user.ClientKeyData)
		shorten(&user.ClientCertificateData)
		redact(&user.Token)
	}
	for _, cluster := range config.Clusters {
		shorten(&cluster.CertificateAuthorityData)
	}
}

func shorten(data *[]byte) {
	if len(*data) > 0 {
		// The text uses the alphabet of base64, in which files contain data.
		*data, _ = base64.StdEncoding.DecodeString("DATA+OMITTED")
	}
}

// RedactSecrets replaces keys, tokens and passwords in config by REDACTED, including those in the configuration
// of auth providers (client-go does not replace these). It does not replace the arguments and the environment of
// exec plugins, nor extensions, whose contents are unknown. The error is always nil.
func RedactSecrets(config *Config) error {
	for _, user := range config.AuthInfos {
		if user == nil {
			continue
		}
		if user.ClientKeyData != nil {
			user.ClientKeyData = []byte(redacted)
		}
		redact(&user.Token)
		redact(&user.Password)
		if user.AuthProvider != nil {
			for key, value := range user.AuthProvider.Config {
				if isSecretKey(key) {
					redact(&value)
					user.AuthProvider.Config[key] = value
				}
			}
		}
	}
	return nil
}

func redact(s *string) {
	if *s != "" {
		*s = redacted
	}
}

// isSecretKey reports whether an auth provider keeps a secret under key: id-token, refresh-token, access-token,
// client-secret and others like them.
func isSecretKey(key string) bool {
	key = strings.ToLower(key)
	for _, part := range []string{"token", "secret", "password"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}
