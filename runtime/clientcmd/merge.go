package clientcmd

import (
	"maps"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// fillConfig adds to dst what src contains and dst does not. Entries are shared, not copied.
func fillConfig(dst, src *api.Config) {
	fill(&dst.Kind, src.Kind)
	fill(&dst.APIVersion, src.APIVersion)
	fill(&dst.Preferences.Colors, src.Preferences.Colors)
	fillMap(&dst.Preferences.Extensions, src.Preferences.Extensions)
	fillMap(&dst.Clusters, src.Clusters)
	fillMap(&dst.AuthInfos, src.AuthInfos)
	fillMap(&dst.Contexts, src.Contexts)
	fill(&dst.CurrentContext, src.CurrentContext)
	fillMap(&dst.Extensions, src.Extensions)
}

func fill[T comparable](dst *T, src T) {
	var zero T
	if *dst == zero {
		*dst = src
	}
}

func fillMap[V any](dst *map[string]V, src map[string]V) {
	if src != nil && *dst == nil {
		*dst = make(map[string]V, len(src))
	}
	for name, value := range src {
		if _, ok := (*dst)[name]; !ok {
			(*dst)[name] = value
		}
	}
}

// The override functions replace in dst what src sets. Entries of maps are replaced one by one, slices and what
// pointers refer to as a whole.

func overrideContext(dst, src *api.Context) {
	override(&dst.LocationOfOrigin, src.LocationOfOrigin)
	override(&dst.Cluster, src.Cluster)
	override(&dst.AuthInfo, src.AuthInfo)
	override(&dst.Namespace, src.Namespace)
	overrideMap(&dst.Extensions, src.Extensions)
}

func overrideCluster(dst, src *api.Cluster) {
	override(&dst.LocationOfOrigin, src.LocationOfOrigin)
	override(&dst.Server, src.Server)
	override(&dst.TLSServerName, src.TLSServerName)
	override(&dst.InsecureSkipTLSVerify, src.InsecureSkipTLSVerify)
	override(&dst.CertificateAuthority, src.CertificateAuthority)
	overrideSlice(&dst.CertificateAuthorityData, src.CertificateAuthorityData)
	override(&dst.ProxyURL, src.ProxyURL)
	override(&dst.DisableCompression, src.DisableCompression)
	overrideMap(&dst.Extensions, src.Extensions)
}

func overrideAuthInfo(dst, src *api.AuthInfo) {
	override(&dst.LocationOfOrigin, src.LocationOfOrigin)
	override(&dst.ClientCertificate, src.ClientCertificate)
	overrideSlice(&dst.ClientCertificateData, src.ClientCertificateData)
	override(&dst.ClientKey, src.ClientKey)
	overrideSlice(&dst.ClientKeyData, src.ClientKeyData)
	override(&dst.Token, src.Token)
	override(&dst.TokenFile, src.TokenFile)
	override(&dst.Impersonate, src.Impersonate)
	override(&dst.ImpersonateUID, src.ImpersonateUID)
	overrideSlice(&dst.ImpersonateGroups, src.ImpersonateGroups)
	overrideMap(&dst.ImpersonateUserExtra, src.ImpersonateUserExtra)
	override(&dst.Username, src.Username)
	override(&dst.Password, src.Password)
	override(&dst.AuthProvider, src.AuthProvider)
	override(&dst.Exec, src.Exec)
	overrideMap(&dst.Extensions, src.Extensions)
}

func override[T comparable](dst *T, src T) {
	var zero T
	if src != zero {
		*dst = src
	}
}

func overrideSlice[T any](dst *[]T, src []T) {
	if len(src) > 0 {
		*dst = src
	}
}

func overrideMap[V any](dst *map[string]V, src map[string]V) {
	if src != nil && *dst == nil {
		*dst = make(map[string]V, len(src))
	}
	maps.Copy(*dst, src)
}
