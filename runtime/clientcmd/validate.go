package clientcmd

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/internal/execplugin"
	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// Validate returns an error with all faults of config, in any context. It opens the files of certificates.
func Validate(config api.Config) error {
	var at place
	if api.IsConfigEmpty(&config) {
		return newInvalidError([]error{ErrEmptyConfig}, at)
	}
	var errs []error
	if name := config.CurrentContext; name != "" && config.Contexts[name] == nil {
		errs = append(errs, &contextNotFoundError{name})
	}
	for _, name := range slices.Sorted(maps.Keys(config.Contexts)) {
		context := config.Contexts[name]
		at.addFile(context.LocationOfOrigin)
		errs = append(errs, validateContext(name, context, &config)...)
	}
	for _, name := range slices.Sorted(maps.Keys(config.AuthInfos)) {
		at.addFile(config.AuthInfos[name].LocationOfOrigin)
		errs = append(errs, validateAuthInfo(name, config.AuthInfos[name])...)
	}
	for _, name := range slices.Sorted(maps.Keys(config.Clusters)) {
		at.addFile(config.Clusters[name].LocationOfOrigin)
		errs = append(errs, validateCluster(name, config.Clusters[name])...)
	}
	return newInvalidError(errs, at)
}

// ConfirmUsable returns an error with all faults of one context of config, its user and its cluster. An empty
// passedContextName means the current context; if there is none, the error is ErrNoContext.
func ConfirmUsable(config api.Config, passedContextName string) error {
	if api.IsConfigEmpty(&config) {
		return newInvalidError([]error{ErrEmptyConfig}, place{})
	}
	name := passedContextName
	if name == "" {
		name = config.CurrentContext
	}
	if name == "" {
		return ErrNoContext
	}
	at := place{context: name}
	context := config.Contexts[name]
	if context == nil {
		return newInvalidError([]error{&contextNotFoundError{name}}, at)
	}
	at.addFile(context.LocationOfOrigin)
	errs := validateContext(name, context, &config)
	user := config.AuthInfos[context.AuthInfo]
	if user == nil {
		user = &api.AuthInfo{}
	}
	at.addFile(user.LocationOfOrigin)
	errs = append(errs, validateAuthInfo(context.AuthInfo, user)...)
	cluster := config.Clusters[context.Cluster]
	if cluster == nil {
		cluster = &api.Cluster{}
	}
	at.addFile(cluster.LocationOfOrigin)
	errs = append(errs, validateCluster(context.Cluster, cluster)...)
	return newInvalidError(errs, at)
}

// ConfirmUsable returns an error with all faults of the chosen context, its user and its cluster, after overrides.
// The rest of the kubeconfig may be invalid.
func (c *DirectClientConfig) ConfirmUsable() error {
	var errs []error
	// The name that overrides choose is checked when the context is.
	name := c.contextName
	if name == "" {
		name = c.config.CurrentContext
	}
	if name != "" && c.config.Contexts[name] == nil {
		errs = append(errs, &contextNotFoundError{name})
	}
	userName, user, _ := c.user()
	clusterName, cluster, _ := c.cluster()
	errs = append(errs, validateAuthInfo(userName, &user)...)
	errs = append(errs, validateCluster(clusterName, &cluster)...)
	if len(errs) == 1 && errors.Is(errs[0], ErrEmptyCluster) {
		errs[0] = c.emptyConfig(clusterName)
	}
	return newInvalidError(errs, c.place())
}

// confirmUser returns an error if a client would be anonymous because the user of the context does not exist, unless
// [compat.IsClientGo].
func (c *DirectClientConfig) confirmUser(ch *chosen) error {
	if compat.IsClientGo() {
		return nil
	}
	user := &ch.user
	if ch.userName == "" || c.config.AuthInfos[ch.userName] != nil || user.TokenFile != "" || identifies(user, user.Token) || c.fallbackReader != nil {
		return nil
	}
	return newInvalidError([]error{fmt.Errorf("user %q does not exist", ch.userName)}, c.place())
}

// emptyConfig returns ErrEmptyConfig with the reason for it, if there are files and not [compat.IsClientGo].
func (c *DirectClientConfig) emptyConfig(clusterName string) error {
	name, _ := c.name()
	switch {
	case compat.IsClientGo():
		return ErrEmptyConfig
	case name == "" && len(c.config.Contexts) > 0:
		return fmt.Errorf("%w: current-context is not set", ErrEmptyConfig)
	case name == "":
		return ErrEmptyConfig
	case clusterName == "":
		return fmt.Errorf("%w: context %q has no cluster", ErrEmptyConfig, name)
	case c.config.Clusters[clusterName] == nil:
		return fmt.Errorf("%w: cluster %q of context %q does not exist", ErrEmptyConfig, clusterName, name)
	default:
		return fmt.Errorf("%w: cluster %q has no server", ErrEmptyConfig, clusterName)
	}
}

func validateContext(name string, context *api.Context, config *api.Config) []error {
	var errs []error
	if name == "" {
		errs = append(errs, errors.New("empty context name is not allowed"))
	}
	if context.AuthInfo == "" {
		errs = append(errs, fmt.Errorf("user was not specified for context %q", name))
	} else if config.AuthInfos[context.AuthInfo] == nil {
		errs = append(errs, fmt.Errorf("user %q was not found for context %q", context.AuthInfo, name))
	}
	if context.Cluster == "" {
		errs = append(errs, fmt.Errorf("cluster was not specified for context %q", name))
	} else if config.Clusters[context.Cluster] == nil {
		errs = append(errs, fmt.Errorf("cluster %q was not found for context %q", context.Cluster, name))
	}
	if context.Namespace != "" && len(validation.IsDNS1123Label(context.Namespace)) > 0 {
		errs = append(errs, fmt.Errorf("namespace %q for context %q does not conform to the kubernetes DNS_LABEL rules", context.Namespace, name))
	}
	return errs
}

func validateCluster(name string, cluster *api.Cluster) []error {
	if reflect.DeepEqual(cluster, api.NewCluster()) {
		return []error{ErrEmptyCluster}
	}
	var errs []error
	if cluster.Server == "" {
		if name == "" {
			errs = append(errs, errors.New("default cluster has no server defined"))
		} else {
			errs = append(errs, fmt.Errorf("no server found for cluster %q", name))
		}
	}
	if cluster.ProxyURL != "" {
		if _, err := parseProxyURL(cluster.ProxyURL); err != nil {
			errs = append(errs, fmt.Errorf("invalid 'proxy-url' %q for cluster %q: %w", secret.Host(cluster.ProxyURL), name, err))
		}
	}
	if cluster.CertificateAuthority != "" {
		if len(cluster.CertificateAuthorityData) > 0 {
			errs = append(errs, fmt.Errorf("certificate-authority-data and certificate-authority are both specified for %v. certificate-authority-data will override.", name)) //nolint:revive,staticcheck // client-go's text
		}
		if err := checkReadable(cluster.CertificateAuthority); err != nil {
			errs = append(errs, fmt.Errorf("unable to read certificate-authority %v for %v due to %w", cluster.CertificateAuthority, name, err))
		}
	}
	return errs
}

func validateAuthInfo(name string, user *api.AuthInfo) []error {
	errs := validateClientCertificate(name, user)
	if user.Exec != nil {
		if user.AuthProvider != nil {
			errs = append(errs, fmt.Errorf("authProvider cannot be provided in combination with an exec plugin for %s", name))
		}
		errs = append(errs, validateExec(name, user.Exec)...)
	}
	if user.Token != "" && (user.Username != "" || user.Password != "") {
		errs = append(errs, fmt.Errorf("more than one authentication method found for %v; found [token basicAuth], only one is allowed", name))
	}
	if user.Impersonate == "" && (user.ImpersonateUID != "" || len(user.ImpersonateGroups) > 0 || len(user.ImpersonateUserExtra) > 0) {
		errs = append(errs, fmt.Errorf("requesting uid, groups or user-extra for %v without impersonating a user", name))
	}
	return errs
}

func validateClientCertificate(name string, user *api.AuthInfo) []error {
	if user.ClientCertificate == "" && len(user.ClientCertificateData) == 0 {
		return nil
	}
	var errs []error
	if user.ClientCertificate != "" && len(user.ClientCertificateData) > 0 {
		errs = append(errs, fmt.Errorf("client-cert-data and client-cert are both specified for %v. client-cert-data will override.", name)) //nolint:revive,staticcheck // client-go's text
	}
	if user.ClientKey != "" && len(user.ClientKeyData) > 0 {
		errs = append(errs, fmt.Errorf("client-key-data and client-key are both specified for %v; client-key-data will override", name))
	}
	if user.ClientKey == "" && len(user.ClientKeyData) == 0 {
		errs = append(errs, fmt.Errorf("client-key-data or client-key must be specified for %v to use the clientCert authentication method.", name)) //nolint:revive,staticcheck // client-go's text
	}
	if err := checkReadable(user.ClientCertificate); err != nil {
		errs = append(errs, fmt.Errorf("unable to read client-cert %v for %v due to %w", user.ClientCertificate, name, err))
	}
	if err := checkReadable(user.ClientKey); err != nil {
		errs = append(errs, fmt.Errorf("unable to read client-key %v for %v due to %w", user.ClientKey, name, err))
	}
	return errs
}

func validateExec(user string, exec *api.ExecConfig) []error {
	var errs []error
	if exec.Command == "" {
		errs = append(errs, fmt.Errorf("command must be specified for %v to use exec authentication plugin", user))
	}
	if exec.APIVersion == "" {
		errs = append(errs, fmt.Errorf("apiVersion must be specified for %v to use exec authentication plugin", user))
	}
	for _, v := range exec.Env {
		if v.Name == "" {
			errs = append(errs, fmt.Errorf("env variable name must be specified for %v to use exec authentication plugin", user))
		}
	}
	switch exec.InteractiveMode {
	case api.NeverExecInteractiveMode, api.IfAvailableExecInteractiveMode, api.AlwaysExecInteractiveMode:
	case "":
		errs = append(errs, fmt.Errorf("interactiveMode must be specified for %v to use exec authentication plugin", user))
	default:
		errs = append(errs, fmt.Errorf("invalid interactiveMode for %v: %q", user, exec.InteractiveMode))
	}
	if err := execplugin.ValidatePolicy(exec.PluginPolicy); err != nil {
		errs = append(errs, fmt.Errorf("allowlist misconfiguration: %w", err))
	}
	return errs
}

// checkReadable returns an error if file is not empty and cannot be opened.
func checkReadable(file string) error {
	if file == "" {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	return f.Close()
}
