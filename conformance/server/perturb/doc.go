// Package perturb runs programs with package apitest/perturb: the small controllers with bugs of its corpus, on
// client-go, on listwatch and on controller-runtime; with the tag programs, controllers of Kubernetes; and with the tag
// operators, sample-controller and operators, some of which checkout copies to .work.
package perturb
