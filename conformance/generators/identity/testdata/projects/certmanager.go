// Package certmanager imports the API packages of cert-manager, whose groups contain hyphens and
// differ from the names of their directories.
package certmanager

import (
	_ "github.com/cert-manager/cert-manager/pkg/apis/acme/v1"
	_ "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
)
