// Package auth links the authentication plugins of clients into a program that imports it for that, as client-go's
// plugin/pkg/client/auth does:
//
//	import _ "github.com/listwatch/listwatch/runtime/auth"
//
// Today this is the auth provider oidc only. Exec plugins are programs, which need no import. The auth providers gcp
// and azure were replaced by such programs; a kubeconfig that still uses them is an error that names the
// program.
package auth

import (
	_ "github.com/listwatch/listwatch/runtime/auth/oidc" // registers the auth provider
)
