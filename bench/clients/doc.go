// Package clients contains the compared clientsets, listers and informers, generated from the same
// API by the same generator, for client-go's runtime and for ours, and those of a view.
package clients

//go:generate go tool gen-all --runtime=client-go --output-dir=clientgo --fake-clientset=false ../apis/fleet/...
//go:generate go tool gen-all --runtime=listwatch --output-dir=listwatch --fake-clientset=false ../apis/fleet/...
//go:generate go tool gen-all --output-dir=views --fake-clientset=false ../apis/agent
