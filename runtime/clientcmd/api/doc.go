// +k8s:deepcopy-gen=package

// Package api has the types of a kubeconfig file, as client-go's tools/clientcmd/api.
//
// Terms: a Config names clusters (how a server is reached), users (AuthInfo: how the client
// identifies itself) and contexts (a cluster, a user and a namespace under one name).
// A user may be identified by a plugin: a program that is run (ExecConfig) or code that is
// linked (AuthProviderConfig).
//
// Operations: the types are data; DeepCopy copies them. They print without credentials.
//
// Limits: reading, writing, merging and flattening files is not here. The types marshal
// to JSON with their credentials, since a kubeconfig file has to hold them.
package api
