package v1

import (
	"k8s.io/apimachinery/pkg/runtime"

	listwatch "github.com/listwatch/listwatch/runtime/clientcmd/api/v1"
	"k8s.io/client-go/internal/conversions"
)

// SchemeBuilder and AddToScheme add Config, its defaults and its conversions to a scheme, and those of its parts.
// AddToScheme also adds what is registered with SchemeBuilder.
var (
	SchemeBuilder = runtime.NewSchemeBuilder(listwatch.AddToScheme, registerParts)
	AddToScheme   = (&SchemeBuilder).AddToScheme
)

// RegisterConversions adds the conversions between the types of this package and those of package api to a scheme.
func RegisterConversions(scheme *runtime.Scheme) error {
	if err := listwatch.RegisterConversions(scheme); err != nil {
		return err
	}
	return registerParts(scheme)
}

// registerParts adds the conversions of the parts of a Config.
func registerParts(scheme *runtime.Scheme) error {
	parts := runtime.NewSchemeBuilder(
		conversions.Pair(Convert_v1_AuthInfo_To_api_AuthInfo, Convert_api_AuthInfo_To_v1_AuthInfo),
		conversions.Pair(Convert_v1_AuthProviderConfig_To_api_AuthProviderConfig, Convert_api_AuthProviderConfig_To_v1_AuthProviderConfig),
		conversions.Pair(Convert_v1_Cluster_To_api_Cluster, Convert_api_Cluster_To_v1_Cluster),
		conversions.Pair(Convert_v1_Context_To_api_Context, Convert_api_Context_To_v1_Context),
		conversions.Pair(Convert_v1_ExecConfig_To_api_ExecConfig, Convert_api_ExecConfig_To_v1_ExecConfig),
		conversions.Pair(Convert_v1_ExecEnvVar_To_api_ExecEnvVar, Convert_api_ExecEnvVar_To_v1_ExecEnvVar),
		conversions.Pair(Convert_v1_Preferences_To_api_Preferences, Convert_api_Preferences_To_v1_Preferences),
		conversions.Pair(Convert_Slice_v1_NamedAuthInfo_To_Map_string_To_Pointer_api_AuthInfo, Convert_Map_string_To_Pointer_api_AuthInfo_To_Slice_v1_NamedAuthInfo),
		conversions.Pair(Convert_Slice_v1_NamedCluster_To_Map_string_To_Pointer_api_Cluster, Convert_Map_string_To_Pointer_api_Cluster_To_Slice_v1_NamedCluster),
		conversions.Pair(Convert_Slice_v1_NamedContext_To_Map_string_To_Pointer_api_Context, Convert_Map_string_To_Pointer_api_Context_To_Slice_v1_NamedContext),
		conversions.Pair(Convert_Slice_v1_NamedExtension_To_Map_string_To_runtime_Object, Convert_Map_string_To_runtime_Object_To_Slice_v1_NamedExtension),
	)
	return parts.AddToScheme(scheme)
}
