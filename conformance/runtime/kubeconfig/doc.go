// Package kubeconfig compares the loading of kubeconfigs with client-go's.
//
// The cases are those of runtime/clientcmd/testdata/cases; internal/kubeconfigtest describes their format. Package
// observe observes all aspects of a case: the merged config, the configuration of a client and of its transport, what
// is written, and how files are modified. The tests also build it, as a program, with client-go's imports. For each
// aspect, both must return equal values or both an error, of the same kinds. The option differs of a case lists the
// aspects in which they do not, with the reason.
//
// FuzzLoad compares the two for any file.
package kubeconfig
