// Package defaults makes the runtime behave as client-go does. Every package of the module imports it.
package defaults

import "github.com/listwatch/listwatch/runtime/compat"

func init() { compat.ClientGo() }
