package clientcmd

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/rest"
)

// execExtension is the name of a cluster's extension that contains the configuration of exec plugins.
const execExtension = "client.authentication.k8s.io/exec"

// ClientConfig returns the configuration of a client for the chosen context. Credentials are only used if
// connections are encrypted.
func (c *DirectClientConfig) ClientConfig() (*rest.Config, error) {
	ch, err := c.choose()
	if err != nil {
		return nil, err
	}
	if err = c.ConfirmUsable(); err != nil {
		return nil, err
	}
	config := &rest.Config{
		Host:               withoutQuery(ch.cluster.Server),
		DisableCompression: ch.cluster.DisableCompression,
	}
	if ch.cluster.ProxyURL != "" {
		var proxy *url.URL
		if proxy, err = parseProxyURL(ch.cluster.ProxyURL); err != nil {
			return nil, err
		}
		config.Proxy = http.ProxyURL(proxy)
	}
	if c.overrides != nil && c.overrides.Timeout != "" {
		if config.Timeout, err = ParseTimeout(c.overrides.Timeout); err != nil {
			return nil, err
		}
	}
	if ch.user.Impersonate != "" {
		config.Impersonate = rest.ImpersonationConfig{
			UserName: ch.user.Impersonate,
			UID:      ch.user.ImpersonateUID,
			Groups:   slices.Clone(ch.user.ImpersonateGroups),
			Extra:    ch.user.DeepCopy().ImpersonateUserExtra,
		}
	}
	if rest.IsConfigTransportTLS(*config) {
		if err := c.confirmUser(&ch); err != nil {
			return nil, err
		}
		if err := c.setCredentials(config, &ch); err != nil {
			return nil, err
		}
		config.CAFile = ch.cluster.CertificateAuthority
		config.CAData = ch.cluster.CertificateAuthorityData
		config.Insecure = ch.cluster.InsecureSkipTLSVerify
		config.ServerName = ch.cluster.TLSServerName
	}
	return config, nil
}

// withoutQuery returns server without its query and fragment if it has a path.
func withoutQuery(server string) string {
	u, err := url.ParseRequestURI(server)
	if err != nil || u.Opaque != "" || len(u.Path) <= 1 {
		return server
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// setCredentials sets the credentials of config, from the chosen user or a prompt.
func (c *DirectClientConfig) setCredentials(config *rest.Config, ch *chosen) error {
	user := &ch.user
	config.BearerToken, config.BearerTokenFile = user.Token, user.TokenFile
	if user.Token == "" && user.TokenFile != "" {
		token, err := os.ReadFile(user.TokenFile)
		if err != nil {
			return fmt.Errorf("reading the token file of user %q: %w%s", ch.userName, err, c.place().suffix())
		}
		config.BearerToken = string(token)
	}
	if user.ClientCertificate != "" || len(user.ClientCertificateData) > 0 {
		config.CertFile, config.CertData = user.ClientCertificate, user.ClientCertificateData
		config.KeyFile, config.KeyData = user.ClientKey, user.ClientKeyData
	}
	config.Username, config.Password = user.Username, user.Password
	if user.AuthProvider != nil {
		config.AuthProvider = user.AuthProvider.DeepCopy()
		if c.configAccess != nil {
			config.AuthConfigPersister = PersisterForUser(c.configAccess, ch.userName)
		}
	}
	if user.Exec != nil {
		config.ExecProvider = user.Exec.DeepCopy()
		config.ExecProvider.InstallHint = printable(config.ExecProvider.InstallHint)
		config.ExecProvider.Config = ch.cluster.Extensions[execExtension]
	}
	if c.fallbackReader != nil && !identifies(user, config.BearerToken) {
		return c.prompt(config)
	}
	return nil
}

// identifies reports whether a client with the credentials of user is not anonymous.
func identifies(user *api.AuthInfo, token string) bool {
	return user.Username != "" ||
		user.ClientCertificate != "" || len(user.ClientCertificateData) > 0 ||
		token != "" ||
		user.AuthProvider != nil ||
		user.Exec != nil
}

// prompt sets the user name and password of config from the user's input, once.
func (c *DirectClientConfig) prompt(config *rest.Config) error {
	if c.prompted.username == "" || c.prompted.password.IsZero() {
		username, password, err := promptForCredentials(c.fallbackReader)
		if err != nil {
			return err
		}
		if config.Password != "" {
			password = config.Password
		}
		c.prompted = promptedCredentials{username: username, password: secret.New(password)}
	}
	config.Username, config.Password = c.prompted.username, c.prompted.password.Reveal()
	return nil
}

// printable replaces characters in hint that control a terminal by their numbers.
func printable(hint string) string {
	var b strings.Builder
	for _, r := range hint {
		switch {
		case r >= '\t' && r <= '\r', unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "%U", r)
		}
	}
	return b.String()
}
