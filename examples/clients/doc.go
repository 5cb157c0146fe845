// Package clients has a program for each of the four ways to call an API server, from least to most typed:
//
//   - discoveryclient asks what a server serves;
//   - restclient sends requests to paths;
//   - dynamicclient reads objects of any kind as maps;
//   - clientset, which is generated, reads objects as Go types.
//
// Each takes a kubeconfig file (--kubeconfig, by default ~/.kube/config); without one ("") it uses the service
// account of its pod. The last three list the books of package librarian, whose CRDs the server needs.
package clients
