// +k8s:deepcopy-gen=package

// Package v1 contains the types of kubeconfig files as they are written, as client-go's tools/clientcmd/api/v1
// does.
//
// They differ from package api in that clusters, users, contexts and extensions are lists of named entries
// instead of maps. Programs that create a kubeconfig for another program to read can fill them and marshal them
// to JSON or YAML; all others use package api with the functions of package clientcmd.
//
// The types are data; DeepCopy copies them. They print without credentials, but marshal with them. AddToScheme
// adds Config with its defaults and its conversions from and to api.Config to a scheme.
package v1
