// Package programs runs the programs of examples/tour on the real API server. Their own test, which runs them on
// apitest, is run with a kubeconfig file of that server.
package programs
