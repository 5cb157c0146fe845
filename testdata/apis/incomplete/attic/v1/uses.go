//go:build incomplete

package v1

import "github.com/listwatch/listwatch/testdata/apis/incomplete/attic/clients"

// Open uses a package that is yet to be generated.
func (t *Trunk) Open() error { return clients.Open(t) }
