// Package kubernetes pins the module that the generators read.
package kubernetes

import _ "k8s.io/api/core/v1"
