package v1

import (
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	"k8s.io/client-go/tools/clientcmd/api"
)

// The conversions of lists add to what out has. A name that it has already is an error.

// merge adds entries to a map, which may be nil.
func merge[T any](kind string, entries map[string]T, out *map[string]T) error {
	for name := range entries {
		if _, ok := (*out)[name]; ok {
			return fmt.Errorf("duplicate name: more than one %s is named %q", kind, name)
		}
	}
	if *out == nil {
		*out = entries
		return nil
	}
	maps.Copy(*out, entries)
	return nil
}

// Convert_Slice_v1_NamedCluster_To_Map_string_To_Pointer_api_Cluster adds clusters to a map.
func Convert_Slice_v1_NamedCluster_To_Map_string_To_Pointer_api_Cluster(in *[]NamedCluster, out *map[string]*api.Cluster, _ conversion.Scope) error {
	config, err := toInternal(Config{Clusters: *in})
	if err != nil {
		return err
	}
	return merge("cluster", config.Clusters, out)
}

// Convert_Map_string_To_Pointer_api_Cluster_To_Slice_v1_NamedCluster appends clusters, sorted by name.
func Convert_Map_string_To_Pointer_api_Cluster_To_Slice_v1_NamedCluster(in *map[string]*api.Cluster, out *[]NamedCluster, _ conversion.Scope) error {
	config, err := fromInternal(api.Config{Clusters: *in})
	if err != nil {
		return err
	}
	*out = append(*out, config.Clusters...)
	return nil
}

// Convert_Slice_v1_NamedAuthInfo_To_Map_string_To_Pointer_api_AuthInfo adds users to a map.
func Convert_Slice_v1_NamedAuthInfo_To_Map_string_To_Pointer_api_AuthInfo(in *[]NamedAuthInfo, out *map[string]*api.AuthInfo, _ conversion.Scope) error {
	config, err := toInternal(Config{AuthInfos: *in})
	if err != nil {
		return err
	}
	return merge("user", config.AuthInfos, out)
}

// Convert_Map_string_To_Pointer_api_AuthInfo_To_Slice_v1_NamedAuthInfo appends users, sorted by name.
func Convert_Map_string_To_Pointer_api_AuthInfo_To_Slice_v1_NamedAuthInfo(in *map[string]*api.AuthInfo, out *[]NamedAuthInfo, _ conversion.Scope) error {
	config, err := fromInternal(api.Config{AuthInfos: *in})
	if err != nil {
		return err
	}
	*out = append(*out, config.AuthInfos...)
	return nil
}

// Convert_Slice_v1_NamedContext_To_Map_string_To_Pointer_api_Context adds contexts to a map.
func Convert_Slice_v1_NamedContext_To_Map_string_To_Pointer_api_Context(in *[]NamedContext, out *map[string]*api.Context, _ conversion.Scope) error {
	config, err := toInternal(Config{Contexts: *in})
	if err != nil {
		return err
	}
	return merge("context", config.Contexts, out)
}

// Convert_Map_string_To_Pointer_api_Context_To_Slice_v1_NamedContext appends contexts, sorted by name.
func Convert_Map_string_To_Pointer_api_Context_To_Slice_v1_NamedContext(in *map[string]*api.Context, out *[]NamedContext, _ conversion.Scope) error {
	config, err := fromInternal(api.Config{Contexts: *in})
	if err != nil {
		return err
	}
	*out = append(*out, config.Contexts...)
	return nil
}

// Convert_Slice_v1_NamedExtension_To_Map_string_To_runtime_Object adds extensions to a map.
func Convert_Slice_v1_NamedExtension_To_Map_string_To_runtime_Object(in *[]NamedExtension, out *map[string]runtime.Object, _ conversion.Scope) error {
	config, err := toInternal(Config{Extensions: *in})
	if err != nil {
		return err
	}
	return merge("extension", config.Extensions, out)
}

// Convert_Map_string_To_runtime_Object_To_Slice_v1_NamedExtension appends extensions, sorted by name.
func Convert_Map_string_To_runtime_Object_To_Slice_v1_NamedExtension(in *map[string]runtime.Object, out *[]NamedExtension, _ conversion.Scope) error {
	config, err := fromInternal(api.Config{Extensions: *in})
	if err != nil {
		return err
	}
	*out = append(*out, config.Extensions...)
	return nil
}
