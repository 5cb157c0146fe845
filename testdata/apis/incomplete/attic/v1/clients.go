//go:build incomplete && ignore

package v1

import "github.com/listwatch/listwatch/golden/incomplete/clientset/versioned"

// Clients are those that are yet to be generated of this very package.
type Clients = versioned.Interface
