// +k8s:deepcopy-gen=package

// Package clientauthentication contains the types that clients exchange with exec plugins, the programs that print
// credentials, as client-go's pkg/apis/clientauthentication does.
//
// A client passes an ExecCredential with a Spec to the program, in the environment variable KUBERNETES_EXEC_INFO;
// the program prints one with a Status. These are the types of the internal version; v1 and v1beta1 are the
// versions on the wire, and install.Install adds all three to a scheme.
//
// Clients do not need this package: they configure a plugin by api.ExecConfig of package clientcmd/api. It is for
// programs that are plugins, and for those that describe a cluster to one (rest.ConfigToExecCluster).
//
// The types are data; DeepCopy copies them. They print without credentials.
package clientauthentication
