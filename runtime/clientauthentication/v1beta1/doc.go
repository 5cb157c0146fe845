// +k8s:deepcopy-gen=package

// Package v1beta1 contains the types that clients exchange with exec plugins in
// client.authentication.k8s.io/v1beta1, as client-go's pkg/apis/clientauthentication/v1beta1 does. They have the
// fields of v1, so only ExecCredential, which a scheme must tell apart, is a type of its own.
package v1beta1
