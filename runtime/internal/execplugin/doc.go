// Package execplugin gets credentials from a program, by the contract of the API group
// client.authentication.k8s.io (v1 and v1beta1).
//
// Terms: the program is given an ExecCredential in the environment variable
// KUBERNETES_EXEC_INFO and prints one with a status: a token, a client certificate with
// its key, or both, and when they expire. An Authenticator runs it and keeps what it said.
//
// Operations: For returns the Authenticator of a configuration, the same one for the same
// configuration while anybody uses it. UpdateTransportConfig makes a transport ask it for
// credentials. The program is run when credentials are needed and there are none or they
// have expired, and after an answer of 401; once for all who wait. When the certificate
// has changed, connections opened with the old one are closed.
//
// What the program prints to standard error is the user's to read; what it prints to
// standard output is in no error and no log.
//
// Limits: JSON only (client-go's would read YAML too). A request that waits for the program
// can be cancelled, the program cannot.
package execplugin
