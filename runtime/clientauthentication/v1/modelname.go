package v1

// modelPrefix begins the names of this package's types in OpenAPI documents. They are client-go's, whose types
// programs replace by these.
const modelPrefix = "io.k8s.client-go.pkg.apis.clientauthentication.v1."

// OpenAPIModelName returns the name of the type in OpenAPI documents.
func (ExecCredential) OpenAPIModelName() string { return modelPrefix + "ExecCredential" }

// OpenAPIModelName returns the name of the type in OpenAPI documents.
func (ExecCredentialSpec) OpenAPIModelName() string { return modelPrefix + "ExecCredentialSpec" }

// OpenAPIModelName returns the name of the type in OpenAPI documents.
func (ExecCredentialStatus) OpenAPIModelName() string { return modelPrefix + "ExecCredentialStatus" }

// OpenAPIModelName returns the name of the type in OpenAPI documents.
func (Cluster) OpenAPIModelName() string { return modelPrefix + "Cluster" }
