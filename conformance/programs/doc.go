// Package programs runs the programs of examples/clients on the real API server. Their own test, which runs them on
// apitest, is run with a kubeconfig file of that server.
package programs
