// Package gcp replaces client-go's plugin/pkg/client/auth/gcp in imports. It does nothing: the auth provider gcp was
// removed from Kubernetes in v1.26. With or without this package, a client whose kubeconfig uses it fails with an
// error that names the exec plugin that replaced it, gke-gcloud-auth-plugin.
package gcp
