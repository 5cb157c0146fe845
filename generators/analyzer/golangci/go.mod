// The analyzer of API types as a plugin of golangci-lint: a module of its own, so that the plugin's
// interface stays out of the root.
module github.com/listwatch/listwatch/generators/analyzer/golangci

go 1.26.0

require (
	github.com/golangci/plugin-module-register v0.1.2
	github.com/listwatch/listwatch v0.0.0-00010101000000-000000000000
	golang.org/x/tools v0.47.0
)

require (
	github.com/go-logr/logr v1.4.3 // indirect
	golang.org/x/mod v0.37.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	k8s.io/apimachinery v0.34.0 // indirect
	k8s.io/gengo/v2 v2.0.0-20250604051438-85fd79dbfd9f // indirect
	k8s.io/klog/v2 v2.140.0 // indirect
	k8s.io/utils v0.0.0-20250604170112-4c0f3b243397 // indirect
	sigs.k8s.io/json v0.0.0-20241014173422-cfa47c3a1cc8 // indirect
)

replace github.com/listwatch/listwatch => ../../..
