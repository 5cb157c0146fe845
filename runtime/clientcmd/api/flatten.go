package api

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// FlattenConfig reads the certificates and keys that config refers to by path, and stores them in config itself.
// Relative paths start at the directory of the entry's LocationOfOrigin, or at the working directory if it is
// empty. Token files and exec plugins stay references.
//
// It modifies the entries of config in place. On an error, some may have been changed.
func FlattenConfig(config *Config) error {
	for name, user := range config.AuthInfos {
		base, err := originDirectory(user.LocationOfOrigin)
		if err != nil {
			return err
		}
		if err := FlattenContent(&user.ClientCertificate, &user.ClientCertificateData, base); err != nil {
			return fmt.Errorf("client certificate of user %q: %w", name, err)
		}
		if err := FlattenContent(&user.ClientKey, &user.ClientKeyData, base); err != nil {
			return fmt.Errorf("client key of user %q: %w", name, err)
		}
	}
	for name, cluster := range config.Clusters {
		base, err := originDirectory(cluster.LocationOfOrigin)
		if err != nil {
			return err
		}
		if err := FlattenContent(&cluster.CertificateAuthority, &cluster.CertificateAuthorityData, base); err != nil {
			return fmt.Errorf("certificate authority of cluster %q: %w", name, err)
		}
	}
	return nil
}

func originDirectory(file string) (string, error) { return MakeAbs(filepath.Dir(file), "") }

// FlattenContent reads the file at path, relative to baseDir, into contents, and clears path. It does nothing if
// path is empty, and returns an error if contents are present as well.
func FlattenContent(path *string, contents *[]byte, baseDir string) error {
	if *path == "" {
		return nil
	}
	if len(*contents) > 0 {
		return errors.New("cannot have values for both path and contents")
	}
	data, err := os.ReadFile(ResolvePath(*path, baseDir))
	*contents = data
	if err != nil {
		return err
	}
	*path = ""
	return nil
}

// ResolvePath returns path joined to base, unless path is absolute or empty.
func ResolvePath(path string, base string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}

// MakeAbs returns path joined to base, or to the working directory if base is empty. An absolute path is
// returned unchanged.
func MakeAbs(path, base string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	if base == "" {
		var err error
		if base, err = os.Getwd(); err != nil {
			return "", err
		}
	}
	return filepath.Join(base, path), nil
}
