package v1

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// RegisterConversions adds the conversions between Config and api.Config to scheme. Both share data that is not
// modified: bytes, slices and the maps of strings.
func RegisterConversions(scheme *runtime.Scheme) error {
	err := scheme.AddConversionFunc((*Config)(nil), (*api.Config)(nil), func(a, b any, _ conversion.Scope) error {
		return toInternal(a.(*Config), b.(*api.Config))
	})
	if err != nil {
		return err
	}
	return scheme.AddConversionFunc((*api.Config)(nil), (*Config)(nil), func(a, b any, _ conversion.Scope) error {
		return fromInternal(a.(*api.Config), b.(*Config))
	})
}

// toInternal adds what in contains to out, whose maps may be nil.
func toInternal(in *Config, out *api.Config) error {
	out.Preferences.Colors = in.Preferences.Colors
	out.CurrentContext = in.CurrentContext
	if err := addExtensions("preferences", &out.Preferences.Extensions, in.Preferences.Extensions); err != nil {
		return err
	}
	if err := addExtensions("the config", &out.Extensions, in.Extensions); err != nil {
		return err
	}
	for _, named := range in.Clusters {
		cluster := clusterToInternal(&named.Cluster)
		if err := add("cluster", &out.Clusters, named.Name, cluster); err != nil {
			return err
		}
		if err := addExtensions(fmt.Sprintf("cluster %q", named.Name), &cluster.Extensions, named.Cluster.Extensions); err != nil {
			return err
		}
	}
	for _, named := range in.AuthInfos {
		user := authInfoToInternal(&named.AuthInfo)
		if err := add("user", &out.AuthInfos, named.Name, user); err != nil {
			return err
		}
		if err := addExtensions(fmt.Sprintf("user %q", named.Name), &user.Extensions, named.AuthInfo.Extensions); err != nil {
			return err
		}
	}
	for _, named := range in.Contexts {
		context := api.NewContext()
		context.Cluster, context.AuthInfo, context.Namespace = named.Context.Cluster, named.Context.AuthInfo, named.Context.Namespace
		if err := add("context", &out.Contexts, named.Name, context); err != nil {
			return err
		}
		if err := addExtensions(fmt.Sprintf("context %q", named.Name), &context.Extensions, named.Context.Extensions); err != nil {
			return err
		}
	}
	return nil
}

// add sets the entry of m under name, which must not exist.
func add[T any](kind string, m *map[string]*T, name string, entry *T) error {
	if (*m)[name] != nil {
		return fmt.Errorf("duplicate name: more than one %s is named %q", kind, name)
	}
	if *m == nil {
		*m = map[string]*T{}
	}
	(*m)[name] = entry
	return nil
}

func addExtensions(of string, m *map[string]runtime.Object, extensions []NamedExtension) error {
	for _, named := range extensions {
		var object runtime.Object
		if err := runtime.Convert_runtime_RawExtension_To_runtime_Object(&named.Extension, &object, nil); err != nil {
			return fmt.Errorf("extension %q of %s cannot be read", named.Name, of)
		}
		if (*m)[named.Name] != nil {
			return fmt.Errorf("duplicate name: more than one extension of %s is named %q", of, named.Name)
		}
		if *m == nil {
			*m = map[string]runtime.Object{}
		}
		(*m)[named.Name] = object
	}
	return nil
}

func clusterToInternal(in *Cluster) *api.Cluster {
	out := api.NewCluster()
	out.Server = in.Server
	out.TLSServerName = in.TLSServerName
	out.InsecureSkipTLSVerify = in.InsecureSkipTLSVerify
	out.CertificateAuthority = in.CertificateAuthority
	out.CertificateAuthorityData = in.CertificateAuthorityData
	out.ProxyURL = in.ProxyURL
	out.DisableCompression = in.DisableCompression
	return out
}

func authInfoToInternal(in *AuthInfo) *api.AuthInfo {
	out := api.NewAuthInfo()
	out.ClientCertificate = in.ClientCertificate
	out.ClientCertificateData = in.ClientCertificateData
	out.ClientKey = in.ClientKey
	out.ClientKeyData = in.ClientKeyData
	out.Token = in.Token
	out.TokenFile = in.TokenFile
	out.Impersonate = in.Impersonate
	out.ImpersonateUID = in.ImpersonateUID
	out.ImpersonateGroups = in.ImpersonateGroups
	out.ImpersonateUserExtra = in.ImpersonateUserExtra
	out.Username = in.Username
	out.Password = in.Password
	if p := in.AuthProvider; p != nil {
		out.AuthProvider = &api.AuthProviderConfig{Name: p.Name, Config: p.Config}
	}
	if e := in.Exec; e != nil {
		out.Exec = execToInternal(e)
	}
	return out
}

func execToInternal(in *ExecConfig) *api.ExecConfig {
	out := &api.ExecConfig{
		Command:            in.Command,
		Args:               in.Args,
		APIVersion:         in.APIVersion,
		InstallHint:        in.InstallHint,
		ProvideClusterInfo: in.ProvideClusterInfo,
		InteractiveMode:    api.ExecInteractiveMode(in.InteractiveMode),
	}
	if in.Env != nil {
		out.Env = make([]api.ExecEnvVar, 0, len(in.Env))
		for _, v := range in.Env {
			out.Env = append(out.Env, api.ExecEnvVar(v))
		}
	}
	return out
}

// fromInternal appends what in contains to out, sorted by name.
func fromInternal(in *api.Config, out *Config) error {
	var err error
	out.Preferences.Colors = in.Preferences.Colors
	out.CurrentContext = in.CurrentContext
	if out.Preferences.Extensions, err = listExtensions(in.Preferences.Extensions); err != nil {
		return err
	}
	if out.Extensions, err = listExtensions(in.Extensions); err != nil {
		return err
	}
	out.Clusters, err = list("cluster", in.Clusters, func(name string, cluster *api.Cluster) (NamedCluster, error) {
		named := NamedCluster{Name: name, Cluster: clusterFromInternal(cluster)}
		named.Cluster.Extensions, err = listExtensions(cluster.Extensions)
		return named, err
	})
	if err != nil {
		return err
	}
	out.AuthInfos, err = list("user", in.AuthInfos, func(name string, user *api.AuthInfo) (NamedAuthInfo, error) {
		named := NamedAuthInfo{Name: name, AuthInfo: authInfoFromInternal(user)}
		named.AuthInfo.Extensions, err = listExtensions(user.Extensions)
		return named, err
	})
	if err != nil {
		return err
	}
	out.Contexts, err = list("context", in.Contexts, func(name string, c *api.Context) (NamedContext, error) {
		named := NamedContext{Name: name, Context: Context{Cluster: c.Cluster, AuthInfo: c.AuthInfo, Namespace: c.Namespace}}
		named.Context.Extensions, err = listExtensions(c.Extensions)
		return named, err
	})
	return err
}

// list converts the entries of m, sorted by name. A nil entry is an error.
func list[In, Out any](kind string, m map[string]*In, convert func(string, *In) (Out, error)) ([]Out, error) {
	var entries []Out
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if m[name] == nil {
			return nil, fmt.Errorf("%s %q is nil", kind, name)
		}
		entry, err := convert(name, m[name])
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", kind, name, err)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

func listExtensions(m map[string]runtime.Object) ([]NamedExtension, error) {
	var extensions []NamedExtension
	for _, name := range slices.Sorted(maps.Keys(m)) {
		named, object := NamedExtension{Name: name}, m[name]
		if err := runtime.Convert_runtime_Object_To_runtime_RawExtension(&object, &named.Extension, nil); err != nil {
			return nil, fmt.Errorf("extension %q cannot be written", name)
		}
		extensions = append(extensions, named)
	}
	return extensions, nil
}

func clusterFromInternal(in *api.Cluster) Cluster {
	return Cluster{
		Server:                   in.Server,
		TLSServerName:            in.TLSServerName,
		InsecureSkipTLSVerify:    in.InsecureSkipTLSVerify,
		CertificateAuthority:     in.CertificateAuthority,
		CertificateAuthorityData: in.CertificateAuthorityData,
		ProxyURL:                 in.ProxyURL,
		DisableCompression:       in.DisableCompression,
	}
}

func authInfoFromInternal(in *api.AuthInfo) AuthInfo {
	out := AuthInfo{
		ClientCertificate:     in.ClientCertificate,
		ClientCertificateData: in.ClientCertificateData,
		ClientKey:             in.ClientKey,
		ClientKeyData:         in.ClientKeyData,
		Token:                 in.Token,
		TokenFile:             in.TokenFile,
		Impersonate:           in.Impersonate,
		ImpersonateUID:        in.ImpersonateUID,
		ImpersonateGroups:     in.ImpersonateGroups,
		ImpersonateUserExtra:  in.ImpersonateUserExtra,
		Username:              in.Username,
		Password:              in.Password,
	}
	if p := in.AuthProvider; p != nil {
		out.AuthProvider = &AuthProviderConfig{Name: p.Name, Config: p.Config}
	}
	if e := in.Exec; e != nil {
		out.Exec = execFromInternal(e)
	}
	return out
}

func execFromInternal(in *api.ExecConfig) *ExecConfig {
	out := &ExecConfig{
		Command:            in.Command,
		Args:               in.Args,
		APIVersion:         in.APIVersion,
		InstallHint:        in.InstallHint,
		ProvideClusterInfo: in.ProvideClusterInfo,
		InteractiveMode:    ExecInteractiveMode(in.InteractiveMode),
	}
	if in.Env != nil {
		out.Env = make([]ExecEnvVar, 0, len(in.Env))
		for _, v := range in.Env {
			out.Env = append(out.Env, ExecEnvVar(v))
		}
	}
	return out
}
