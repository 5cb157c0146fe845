// Package execplugin gets credentials from a program, as specified by the API group
// client.authentication.k8s.io (v1 and v1beta1).
//
// The program receives an ExecCredential in the environment variable KUBERNETES_EXEC_INFO and prints one with a
// status: a token, a client certificate with its key, or both, and their expiry. An Authenticator runs it and
// caches the result.
//
// For returns the Authenticator of a configuration, the same one for equal configurations while it is in use.
// UpdateTransportConfig makes a transport use its credentials. The program is run when credentials are needed
// and there are none or they have expired, and after a response with status 401; concurrent requests share one
// run. When the certificate has changed, connections opened with the old one are closed.
//
// The program's standard error is passed to the user; its standard output is in no error and no log.
//
// Only JSON is supported (client-go also reads YAML). A request that waits for the program can be cancelled,
// the program cannot.
package execplugin
