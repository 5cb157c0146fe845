// Package clientcmd loads kubeconfig files, as client-go's tools/clientcmd does.
//
// # Terms
//
//   - A kubeconfig contains clusters (how to reach a server), users (how to authenticate) and contexts (a
//     cluster, a user and a namespace under one name); see package api.
//   - Loading rules determine the files: an explicit path, or else the list in the environment variable
//     KUBECONFIG, or else ~/.kube/config.
//   - Several files are merged: of entries with the same name, and of settings such as current-context, those
//     of the first file win. Entries are never combined.
//   - Overrides, usually from flags, replace single settings of the chosen cluster, user and context.
//   - A [ClientConfig] combines these; its ClientConfig method returns the [rest.Config] for a client.
//
// # Loading
//
// Most programs need one call:
//
//	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
//
// It reads the file at the path kubeconfig. If that is empty, it uses the service account of the pod. The usual
// behaviour of a command-line tool, which also reads KUBECONFIG and ~/.kube/config, is
//
//	rules := clientcmd.NewDefaultClientConfigLoadingRules()
//	rules.ExplicitPath = kubeconfig
//	overrides := &clientcmd.ConfigOverrides{CurrentContext: contextName}
//	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
//
// It falls back to the service account of the pod if the files configure nothing. Files are read at the first
// call of a method, so flags may be bound to rules and overrides before they are parsed.
//
// [Load] and [LoadFromFile] read a single kubeconfig without choosing a context. Relative paths in a file start at
// the file's directory: loading rules resolve them, LoadFromFile keeps them.
//
// # Writing
//
// [Write] encodes a config, [WriteToFile] replaces a file, and [ModifyConfig] writes the changes of a merged
// config back to the files that its entries came from, which it locks. Files are readable and writable only for
// their owner. Extensions are preserved; comments and unknown fields are lost.
//
// # Errors
//
// An error names the file, the context and what is wrong with it. It never contains a credential: errors of
// decoders, which quote what they read, are replaced by descriptions. [IsEmptyConfig], [IsContextNotFound] and
// [IsConfigurationInvalid] tell errors apart, also if they are wrapped.
//
// # Limits
//
// The auth providers gcp and azure are errors when a client is created, which name the exec plugins that replaced
// them. A program that must support users with the auth provider oidc imports package auth/oidc.
package clientcmd
