package v1beta1

// OpenAPIModelName returns the name of the type in OpenAPI documents, which is client-go's.
func (ExecCredential) OpenAPIModelName() string {
	return "io.k8s.client-go.pkg.apis.clientauthentication.v1beta1.ExecCredential"
}
