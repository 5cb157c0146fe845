// Package defaults makes the runtime behave as client-go does. Each package of the module that uses the runtime imports it, directly or not.
package defaults

import "github.com/listwatch/listwatch/runtime/compat"

func init() { compat.ClientGo() }
