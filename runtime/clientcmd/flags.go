package clientcmd

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// The names of flags for overrides.
const (
	FlagClusterName        = "cluster"
	FlagAuthInfoName       = "user"
	FlagContext            = "context"
	FlagNamespace          = "namespace"
	FlagAPIServer          = "server"
	FlagTLSServerName      = "tls-server-name"
	FlagInsecure           = "insecure-skip-tls-verify"
	FlagCertFile           = "client-certificate"
	FlagKeyFile            = "client-key"
	FlagCAFile             = "certificate-authority"
	FlagEmbedCerts         = "embed-certs"
	FlagBearerToken        = "token"
	FlagImpersonate        = "as"
	FlagImpersonateUID     = "as-uid"
	FlagImpersonateGroup   = "as-group"
	FlagUsername           = "username"
	FlagPassword           = "password"
	FlagTimeout            = "request-timeout"
	FlagProxyURL           = "proxy-url"
	FlagDisableCompression = "disable-compression"
)

// ConfigOverrideFlags describe the flags for ConfigOverrides.
type ConfigOverrideFlags struct {
	AuthOverrideFlags    AuthOverrideFlags
	ClusterOverrideFlags ClusterOverrideFlags
	ContextOverrideFlags ContextOverrideFlags
	CurrentContext       FlagInfo
	Timeout              FlagInfo
}

// AuthOverrideFlags describe the flags for ConfigOverrides.AuthInfo.
type AuthOverrideFlags struct {
	ClientCertificate FlagInfo
	ClientKey         FlagInfo
	Token             FlagInfo
	Impersonate       FlagInfo
	ImpersonateUID    FlagInfo
	ImpersonateGroups FlagInfo
	Username          FlagInfo
	Password          FlagInfo
}

// ContextOverrideFlags describe the flags for ConfigOverrides.Context.
type ContextOverrideFlags struct {
	ClusterName  FlagInfo
	AuthInfoName FlagInfo
	Namespace    FlagInfo
}

// ClusterOverrideFlags describe the flags for ConfigOverrides.ClusterInfo. APIVersion is unused.
type ClusterOverrideFlags struct {
	APIServer             FlagInfo
	APIVersion            FlagInfo
	CertificateAuthority  FlagInfo
	InsecureSkipTLSVerify FlagInfo
	TLSServerName         FlagInfo
	ProxyURL              FlagInfo
	DisableCompression    FlagInfo
}

// FlagInfo describes a flag.
type FlagInfo struct {
	// LongName is the name. Without one there is no flag.
	LongName string
	// ShortName is a letter, or empty.
	ShortName string
	// Default is the default value, or empty.
	Default string
	// Description is the help text.
	Description string
}

// AddSecretAnnotation marks the flag as one with a secret value: it gets the annotation "classified".
func (f FlagInfo) AddSecretAnnotation(flags *pflag.FlagSet) FlagInfo {
	_ = flags.SetAnnotation(f.LongName, "classified", []string{"true"}) // fails if there is no flag
	return f
}

// BindStringFlag adds the flag to flags; its value is set in target.
func (f FlagInfo) BindStringFlag(flags *pflag.FlagSet, target *string) FlagInfo {
	if f.LongName != "" {
		flags.StringVarP(target, f.LongName, f.ShortName, f.Default, f.Description)
	}
	return f
}

// BindTransformingStringFlag adds the flag to flags; its value is set in target after transformer was applied to
// it. The default is not transformed.
func (f FlagInfo) BindTransformingStringFlag(flags *pflag.FlagSet, target *string, transformer func(string) (string, error)) FlagInfo {
	if f.LongName != "" {
		*target = f.Default
		flags.VarP(&transformedString{target, transformer}, f.LongName, f.ShortName, f.Description)
	}
	return f
}

// BindStringArrayFlag adds the flag to flags; each use of it adds a value to target.
func (f FlagInfo) BindStringArrayFlag(flags *pflag.FlagSet, target *[]string) FlagInfo {
	if f.LongName != "" {
		defaults := []string{}
		if f.Default != "" {
			defaults = append(defaults, f.Default)
		}
		flags.StringArrayVarP(target, f.LongName, f.ShortName, defaults, f.Description)
	}
	return f
}

// BindBoolFlag adds the flag to flags; its value is set in target. A Default that is not a bool means false.
func (f FlagInfo) BindBoolFlag(flags *pflag.FlagSet, target *bool) FlagInfo {
	if f.LongName != "" {
		value, err := strconv.ParseBool(f.Default)
		flags.BoolVarP(target, f.LongName, f.ShortName, err == nil && value, f.Description)
	}
	return f
}

// transformedString is a pflag.Value that transforms what it is set to.
type transformedString struct {
	target    *string
	transform func(string) (string, error)
}

func (s *transformedString) Set(value string) error {
	value, err := s.transform(value)
	if err != nil {
		return err
	}
	*s.target = value
	return nil
}

func (s *transformedString) String() string { return *s.target }

func (s *transformedString) Type() string { return "string" }

// RecommendedConfigOverrideFlags returns kubectl's flags, with prefix before their names.
func RecommendedConfigOverrideFlags(prefix string) ConfigOverrideFlags {
	return ConfigOverrideFlags{
		AuthOverrideFlags:    RecommendedAuthOverrideFlags(prefix),
		ClusterOverrideFlags: RecommendedClusterOverrideFlags(prefix),
		ContextOverrideFlags: RecommendedContextOverrideFlags(prefix),
		CurrentContext:       FlagInfo{LongName: prefix + FlagContext, Description: "The name of the kubeconfig context to use"},
		Timeout:              FlagInfo{LongName: prefix + FlagTimeout, Default: "0", Description: "The length of time to wait before giving up on a single server request. Non-zero values should contain a corresponding time unit (e.g. 1s, 2m, 3h). A value of zero means don't timeout requests."},
	}
}

// RecommendedAuthOverrideFlags returns kubectl's flags for users, with prefix before their names.
func RecommendedAuthOverrideFlags(prefix string) AuthOverrideFlags {
	return AuthOverrideFlags{
		ClientCertificate: FlagInfo{LongName: prefix + FlagCertFile, Description: "Path to a client certificate file for TLS"},
		ClientKey:         FlagInfo{LongName: prefix + FlagKeyFile, Description: "Path to a client key file for TLS"},
		Token:             FlagInfo{LongName: prefix + FlagBearerToken, Description: "Bearer token for authentication to the API server"},
		Impersonate:       FlagInfo{LongName: prefix + FlagImpersonate, Description: "Username to impersonate for the operation"},
		ImpersonateUID:    FlagInfo{LongName: prefix + FlagImpersonateUID, Description: "UID to impersonate for the operation"},
		ImpersonateGroups: FlagInfo{LongName: prefix + FlagImpersonateGroup, Description: "Group to impersonate for the operation, this flag can be repeated to specify multiple groups."},
		Username:          FlagInfo{LongName: prefix + FlagUsername, Description: "Username for basic authentication to the API server"},
		Password:          FlagInfo{LongName: prefix + FlagPassword, Description: "Password for basic authentication to the API server"},
	}
}

// RecommendedClusterOverrideFlags returns kubectl's flags for clusters, with prefix before their names.
func RecommendedClusterOverrideFlags(prefix string) ClusterOverrideFlags {
	return ClusterOverrideFlags{
		APIServer:             FlagInfo{LongName: prefix + FlagAPIServer, Description: "The address and port of the Kubernetes API server"},
		CertificateAuthority:  FlagInfo{LongName: prefix + FlagCAFile, Description: "Path to a cert file for the certificate authority"},
		InsecureSkipTLSVerify: FlagInfo{LongName: prefix + FlagInsecure, Default: "false", Description: "If true, the server's certificate will not be checked for validity. This will make your HTTPS connections insecure"},
		TLSServerName:         FlagInfo{LongName: prefix + FlagTLSServerName, Description: "If provided, this name will be used to validate server certificate. If this is not provided, hostname used to contact the server is used."},
		ProxyURL:              FlagInfo{LongName: prefix + FlagProxyURL, Description: "If provided, this URL will be used to connect via proxy"},
		DisableCompression:    FlagInfo{LongName: prefix + FlagDisableCompression, Description: "If true, opt-out of response compression for all requests to the server"},
	}
}

// RecommendedContextOverrideFlags returns kubectl's flags for contexts, with prefix before their names.
func RecommendedContextOverrideFlags(prefix string) ContextOverrideFlags {
	return ContextOverrideFlags{
		ClusterName:  FlagInfo{LongName: prefix + FlagClusterName, Description: "The name of the kubeconfig cluster to use"},
		AuthInfoName: FlagInfo{LongName: prefix + FlagAuthInfoName, Description: "The name of the kubeconfig user to use"},
		Namespace:    FlagInfo{LongName: prefix + FlagNamespace, ShortName: "n", Description: "If present, the namespace scope for this CLI request"},
	}
}

// BindOverrideFlags adds flags that set overrides.
func BindOverrideFlags(overrides *ConfigOverrides, flags *pflag.FlagSet, flagNames ConfigOverrideFlags) {
	BindAuthInfoFlags(&overrides.AuthInfo, flags, flagNames.AuthOverrideFlags)
	BindClusterFlags(&overrides.ClusterInfo, flags, flagNames.ClusterOverrideFlags)
	BindContextFlags(&overrides.Context, flags, flagNames.ContextOverrideFlags)
	flagNames.CurrentContext.BindStringFlag(flags, &overrides.CurrentContext)
	flagNames.Timeout.BindStringFlag(flags, &overrides.Timeout)
}

// BindAuthInfoFlags adds flags that set authInfo. All are marked as secret.
func BindAuthInfoFlags(authInfo *api.AuthInfo, flags *pflag.FlagSet, flagNames AuthOverrideFlags) {
	flagNames.ClientCertificate.BindStringFlag(flags, &authInfo.ClientCertificate).AddSecretAnnotation(flags)
	flagNames.ClientKey.BindStringFlag(flags, &authInfo.ClientKey).AddSecretAnnotation(flags)
	flagNames.Token.BindStringFlag(flags, &authInfo.Token).AddSecretAnnotation(flags)
	flagNames.Impersonate.BindStringFlag(flags, &authInfo.Impersonate).AddSecretAnnotation(flags)
	flagNames.ImpersonateUID.BindStringFlag(flags, &authInfo.ImpersonateUID).AddSecretAnnotation(flags)
	flagNames.ImpersonateGroups.BindStringArrayFlag(flags, &authInfo.ImpersonateGroups).AddSecretAnnotation(flags)
	flagNames.Username.BindStringFlag(flags, &authInfo.Username).AddSecretAnnotation(flags)
	flagNames.Password.BindStringFlag(flags, &authInfo.Password).AddSecretAnnotation(flags)
}

// BindClusterFlags adds flags that set clusterInfo.
func BindClusterFlags(clusterInfo *api.Cluster, flags *pflag.FlagSet, flagNames ClusterOverrideFlags) {
	flagNames.APIServer.BindStringFlag(flags, &clusterInfo.Server)
	flagNames.CertificateAuthority.BindStringFlag(flags, &clusterInfo.CertificateAuthority)
	flagNames.InsecureSkipTLSVerify.BindBoolFlag(flags, &clusterInfo.InsecureSkipTLSVerify)
	flagNames.TLSServerName.BindStringFlag(flags, &clusterInfo.TLSServerName)
	flagNames.ProxyURL.BindStringFlag(flags, &clusterInfo.ProxyURL)
	flagNames.DisableCompression.BindBoolFlag(flags, &clusterInfo.DisableCompression)
}

// BindContextFlags adds flags that set contextInfo.
func BindContextFlags(contextInfo *api.Context, flags *pflag.FlagSet, flagNames ContextOverrideFlags) {
	flagNames.ClusterName.BindStringFlag(flags, &contextInfo.Cluster)
	flagNames.AuthInfoName.BindStringFlag(flags, &contextInfo.AuthInfo)
	flagNames.Namespace.BindTransformingStringFlag(flags, &contextInfo.Namespace, RemoveNamespacesPrefix)
}

// RemoveNamespacesPrefix removes "ns/", "namespace/" or "namespaces/" from the start of value, in upper or lower
// case, unless nothing would be left. The error is always nil.
func RemoveNamespacesPrefix(value string) (string, error) {
	for _, prefix := range []string{"namespaces/", "namespace/", "ns/"} {
		if len(value) > len(prefix) && strings.EqualFold(value[:len(prefix)], prefix) {
			return value[len(prefix):], nil
		}
	}
	return value, nil
}
