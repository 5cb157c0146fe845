// Package perturb runs programs with package apitest/perturb: the small controllers with bugs of its corpus, on
// client-go, on listwatch and on controller-runtime, and with the tag programs, controllers of Kubernetes.
package perturb
