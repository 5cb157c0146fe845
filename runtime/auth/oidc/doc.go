// Package oidc is the auth provider "oidc" of kubeconfigs, as client-go's plugin/pkg/client/auth/oidc is. A program
// imports it for its effect: it registers the provider with package rest.
//
//	import _ "github.com/listwatch/listwatch/runtime/auth/oidc"
//
// # Terms
//
//   - The identity provider issues ID tokens, which are signed and expire soon, and refresh tokens, which do not.
//   - An ID token authenticates requests. When it has expired, or is about to, the auth provider requests a new one
//     with the refresh token, at the endpoint that the identity provider's discovery document names.
//   - New tokens are stored in the kubeconfig, so that other processes and later ones use them.
//
// # Configuration
//
// The keys in the kubeconfig are idp-issuer-url and client-id, which are required, client-secret, id-token,
// refresh-token, idp-certificate-authority (a file) and idp-certificate-authority-data (base64). extra-scopes is
// ignored.
//
// Clients with equal configurations share an auth provider, so that tokens are refreshed once for all. It requests
// tokens one at a time; requests that wait for one end with their contexts.
//
// # Errors
//
// Errors contain no tokens and no responses. A failure to store new tokens is an error of the requests that waited
// for them; the tokens stay in memory, and later requests use them.
//
// # Limits
//
// There is no login: the first tokens come from another program. A rejected ID token that has not expired is not
// replaced. The exec plugin kubelogin (kubectl oidc-login) has neither limit.
package oidc
