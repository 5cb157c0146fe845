package v1

import (
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	listwatch "github.com/listwatch/listwatch/runtime/clientcmd/api/v1"
	"k8s.io/client-go/tools/clientcmd/api"
)

// The conversions of a part convert a config with this part. Results share slices and maps with what they were
// converted from; fields of which the other version knows nothing stay as they are.

// whole converts configs.
var whole = func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(listwatch.RegisterConversions(scheme))
	return scheme
}()

func toInternal(in Config) (*api.Config, error) {
	out := &api.Config{}
	return out, whole.Convert(&in, out, nil)
}

func fromInternal(in api.Config) (*Config, error) {
	out := &Config{}
	return out, whole.Convert(&in, out, nil)
}

// Convert_v1_Config_To_api_Config adds a config to an internal one.
func Convert_v1_Config_To_api_Config(in *Config, out *api.Config, _ conversion.Scope) error {
	return whole.Convert(in, out, nil)
}

// Convert_api_Config_To_v1_Config converts an internal config.
func Convert_api_Config_To_v1_Config(in *api.Config, out *Config, _ conversion.Scope) error {
	return whole.Convert(in, out, nil)
}

// Convert_v1_Cluster_To_api_Cluster converts a cluster.
func Convert_v1_Cluster_To_api_Cluster(in *Cluster, out *api.Cluster, s conversion.Scope) error {
	plain := *in
	plain.Extensions = nil
	config, err := toInternal(Config{Clusters: []NamedCluster{{Cluster: plain}}})
	if err != nil {
		return err
	}
	converted := config.Clusters[""]
	converted.LocationOfOrigin, converted.Extensions = out.LocationOfOrigin, out.Extensions
	*out = *converted
	return Convert_Slice_v1_NamedExtension_To_Map_string_To_runtime_Object(&in.Extensions, &out.Extensions, s)
}

// Convert_api_Cluster_To_v1_Cluster converts an internal cluster.
func Convert_api_Cluster_To_v1_Cluster(in *api.Cluster, out *Cluster, _ conversion.Scope) error {
	config, err := fromInternal(api.Config{Clusters: map[string]*api.Cluster{"": in}})
	if err != nil {
		return err
	}
	before := out.Extensions
	*out = config.Clusters[0].Cluster
	out.Extensions = append(before, out.Extensions...)
	return nil
}

// Convert_v1_AuthInfo_To_api_AuthInfo converts a user.
func Convert_v1_AuthInfo_To_api_AuthInfo(in *AuthInfo, out *api.AuthInfo, s conversion.Scope) error {
	plain := *in
	plain.Extensions = nil
	config, err := toInternal(Config{AuthInfos: []NamedAuthInfo{{AuthInfo: plain}}})
	if err != nil {
		return err
	}
	converted := config.AuthInfos[""]
	converted.LocationOfOrigin, converted.Extensions = out.LocationOfOrigin, out.Extensions
	*out = *converted
	return Convert_Slice_v1_NamedExtension_To_Map_string_To_runtime_Object(&in.Extensions, &out.Extensions, s)
}

// Convert_api_AuthInfo_To_v1_AuthInfo converts an internal user.
func Convert_api_AuthInfo_To_v1_AuthInfo(in *api.AuthInfo, out *AuthInfo, _ conversion.Scope) error {
	config, err := fromInternal(api.Config{AuthInfos: map[string]*api.AuthInfo{"": in}})
	if err != nil {
		return err
	}
	before := out.Extensions
	*out = config.AuthInfos[0].AuthInfo
	out.Extensions = append(before, out.Extensions...)
	return nil
}

// Convert_v1_Context_To_api_Context converts a context.
func Convert_v1_Context_To_api_Context(in *Context, out *api.Context, s conversion.Scope) error {
	out.Cluster, out.AuthInfo, out.Namespace = in.Cluster, in.AuthInfo, in.Namespace
	return Convert_Slice_v1_NamedExtension_To_Map_string_To_runtime_Object(&in.Extensions, &out.Extensions, s)
}

// Convert_api_Context_To_v1_Context converts an internal context.
func Convert_api_Context_To_v1_Context(in *api.Context, out *Context, s conversion.Scope) error {
	out.Cluster, out.AuthInfo, out.Namespace = in.Cluster, in.AuthInfo, in.Namespace
	return Convert_Map_string_To_runtime_Object_To_Slice_v1_NamedExtension(&in.Extensions, &out.Extensions, s)
}

// Convert_v1_Preferences_To_api_Preferences converts preferences.
func Convert_v1_Preferences_To_api_Preferences(in *Preferences, out *api.Preferences, s conversion.Scope) error {
	out.Colors = in.Colors
	return Convert_Slice_v1_NamedExtension_To_Map_string_To_runtime_Object(&in.Extensions, &out.Extensions, s)
}

// Convert_api_Preferences_To_v1_Preferences converts internal preferences.
func Convert_api_Preferences_To_v1_Preferences(in *api.Preferences, out *Preferences, s conversion.Scope) error {
	out.Colors = in.Colors
	return Convert_Map_string_To_runtime_Object_To_Slice_v1_NamedExtension(&in.Extensions, &out.Extensions, s)
}

// Convert_v1_AuthProviderConfig_To_api_AuthProviderConfig converts the configuration of an auth provider.
func Convert_v1_AuthProviderConfig_To_api_AuthProviderConfig(in *AuthProviderConfig, out *api.AuthProviderConfig, _ conversion.Scope) error {
	*out = api.AuthProviderConfig(*in)
	return nil
}

// Convert_api_AuthProviderConfig_To_v1_AuthProviderConfig converts the internal configuration of an auth provider.
func Convert_api_AuthProviderConfig_To_v1_AuthProviderConfig(in *api.AuthProviderConfig, out *AuthProviderConfig, _ conversion.Scope) error {
	*out = AuthProviderConfig(*in)
	return nil
}

// Convert_v1_ExecEnvVar_To_api_ExecEnvVar converts a variable of a program's environment.
func Convert_v1_ExecEnvVar_To_api_ExecEnvVar(in *ExecEnvVar, out *api.ExecEnvVar, _ conversion.Scope) error {
	*out = api.ExecEnvVar(*in)
	return nil
}

// Convert_api_ExecEnvVar_To_v1_ExecEnvVar converts an internal variable of a program's environment.
func Convert_api_ExecEnvVar_To_v1_ExecEnvVar(in *api.ExecEnvVar, out *ExecEnvVar, _ conversion.Scope) error {
	*out = ExecEnvVar(*in)
	return nil
}

// Convert_v1_ExecConfig_To_api_ExecConfig converts the configuration of a program that prints credentials.
func Convert_v1_ExecConfig_To_api_ExecConfig(in *ExecConfig, out *api.ExecConfig, s conversion.Scope) error {
	var user api.AuthInfo
	if err := Convert_v1_AuthInfo_To_api_AuthInfo(&AuthInfo{Exec: in}, &user, s); err != nil {
		return err
	}
	converted := user.Exec
	converted.Config, converted.PluginPolicy = out.Config, out.PluginPolicy
	converted.StdinUnavailable, converted.StdinUnavailableMessage = out.StdinUnavailable, out.StdinUnavailableMessage
	*out = *converted
	return nil
}

// Convert_api_ExecConfig_To_v1_ExecConfig converts the internal configuration of a program that prints credentials.
func Convert_api_ExecConfig_To_v1_ExecConfig(in *api.ExecConfig, out *ExecConfig, s conversion.Scope) error {
	var user AuthInfo
	if err := Convert_api_AuthInfo_To_v1_AuthInfo(&api.AuthInfo{Exec: in}, &user, s); err != nil {
		return err
	}
	*out = *user.Exec
	return nil
}
