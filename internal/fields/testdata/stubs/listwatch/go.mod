module github.com/listwatch/listwatch

go 1.25.0

require (
	k8s.io/apimachinery v0.0.0
	k8s.io/client-go v0.0.0
)
