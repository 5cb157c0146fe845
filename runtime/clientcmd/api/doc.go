// +k8s:deepcopy-gen=package

// Package api contains the types of kubeconfig files, as client-go's tools/clientcmd/api does.
//
// A Config contains clusters (how to reach a server), users (AuthInfo: how the client authenticates) and
// contexts (a cluster, a user and a namespace under one name). A user may authenticate with a plugin: a program
// that is run (ExecConfig) or code that is linked into the process (AuthProviderConfig).
//
// The types are data; DeepCopy copies them. They print without credentials, but marshal to JSON with them,
// since a kubeconfig file must contain them.
//
// FlattenConfig replaces the paths of files in a Config by their contents, and MinifyConfig removes what the
// current context does not use; together they make a kubeconfig that can be moved to another machine.
// ShortenConfig and RedactSecrets prepare a Config for display. All of these modify the Config, including its
// entries, in place.
//
// Package clientcmd reads, merges and writes files. This package touches the disk only in FlattenConfig and
// FlattenContent.
package api
