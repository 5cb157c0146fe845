package rest

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"k8s.io/klog/v2"
)

// ErrNotInCluster is returned by InClusterConfig outside of a pod.
var ErrNotInCluster = errors.New("unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined")

// serviceAccountFolder is the directory of the service account's credentials in a pod.
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount"

// InClusterConfig returns a config for a client in a pod that authenticates as the pod's service account. It
// returns ErrNotInCluster outside of a pod.
func InClusterConfig() (*Config, error) {
	return inClusterConfig(serviceAccountFolder)
}

func inClusterConfig(folder string) (*Config, error) {
	host, port := os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT")
	if host == "" || port == "" {
		return nil, ErrNotInCluster
	}
	tokenFile := filepath.Join(folder, "token")
	token, err := os.ReadFile(tokenFile)
	if err != nil {
		return nil, err
	}
	config := &Config{
		Host:            "https://" + net.JoinHostPort(host, port),
		BearerToken:     string(token),
		BearerTokenFile: tokenFile,
	}
	caFile := filepath.Join(folder, "ca.crt")
	if err := checkRoots(caFile); err != nil {
		klog.Background().Error(err, "Failed to load the cluster's root certificates, continuing without them", "file", caFile)
	} else {
		config.CAFile = caFile
	}
	return config, nil
}

// checkRoots returns an error if file contains no certificate.
func checkRoots(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !x509.NewCertPool().AppendCertsFromPEM(data) {
		return fmt.Errorf("no certificate in %s", file)
	}
	return nil
}
