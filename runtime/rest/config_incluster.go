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

// serviceAccountFolder is where a pod finds the credentials of its service account.
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount"

// InClusterConfig returns a config for a client in a pod that identifies itself by the
// pod's service account. It returns ErrNotInCluster where there is no such environment.
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
		klog.Background().Error(err, "Going on without the cluster's root certificates", "file", caFile)
	} else {
		config.CAFile = caFile
	}
	return config, nil
}

// checkRoots fails if there is no certificate in file.
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
