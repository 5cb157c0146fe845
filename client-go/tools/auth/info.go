// Package auth reads credentials from a file of JSON, a format that is older than kubeconfigs. New programs use package
// clientcmd.
package auth

import (
	"encoding/json"
	"os"

	"k8s.io/client-go/rest"
)

// Info are credentials for a server.
type Info struct {
	User        string
	Password    string `datapolicy:"password"`
	CAFile      string
	CertFile    string
	KeyFile     string
	BearerToken string `datapolicy:"token"`
	// Insecure, if set, is whether the server's certificate is not verified.
	Insecure *bool
}

// LoadFromFile reads credentials from a file. The error is fs.ErrNotExist if there is none.
func LoadFromFile(path string) (*Info, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	info := &Info{}
	if err := json.Unmarshal(data, info); err != nil {
		return nil, err
	}
	return info, nil
}

// MergeWithConfig returns a copy of a config with these credentials in place of its own. The error is always nil.
func (info Info) MergeWithConfig(c rest.Config) (rest.Config, error) {
	c.Username, c.Password, c.BearerToken = info.User, info.Password, info.BearerToken
	c.CAFile, c.CertFile, c.KeyFile = info.CAFile, info.CertFile, info.KeyFile
	if info.Insecure != nil {
		c.Insecure = *info.Insecure
	}
	return c, nil
}

// Complete reports whether there are credentials.
func (info Info) Complete() bool {
	return info.User != "" || info.CertFile != "" || info.BearerToken != ""
}
