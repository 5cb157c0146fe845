// +k8s:deepcopy-gen=package

// Package v1 contains the types that clients exchange with exec plugins in client.authentication.k8s.io/v1, as
// client-go's pkg/apis/clientauthentication/v1 does. Package clientauthentication describes them.
//
// They print without credentials, but marshal to JSON with them, since a plugin must print them so.
package v1
