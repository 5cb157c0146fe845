// Package certmanager imports the API packages of cert-manager, whose groups have hyphens
// and not the names of their folders.
package certmanager

import (
	_ "github.com/cert-manager/cert-manager/pkg/apis/acme/v1"
	_ "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
)
