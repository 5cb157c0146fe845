package clientcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// ResolveLocalPaths makes the paths in the clusters and users of config absolute. Relative ones start at the
// directory of the entry's LocationOfOrigin; entries without one are skipped.
func ResolveLocalPaths(config *api.Config) error {
	for _, cluster := range config.Clusters {
		if err := resolveFrom(cluster.LocationOfOrigin, GetClusterFileReferences(cluster)); err != nil {
			return err
		}
	}
	for _, user := range config.AuthInfos {
		if err := resolveFrom(user.LocationOfOrigin, GetAuthInfoFileReferences(user)); err != nil {
			return err
		}
	}
	return nil
}

func resolveFrom(file string, refs []*string) error {
	if file == "" {
		return nil
	}
	base, err := directoryOf(file)
	if err != nil {
		return err
	}
	return ResolvePaths(refs, base)
}

// directoryOf returns the absolute path of the directory of a kubeconfig.
func directoryOf(file string) (string, error) {
	base, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return "", fmt.Errorf("could not determine the absolute path of config file %s: %w", file, err)
	}
	return base, nil
}

// RelativizeClusterLocalPaths makes the paths in cluster relative to the directory of its LocationOfOrigin, if they
// are below it.
func RelativizeClusterLocalPaths(cluster *api.Cluster) error {
	return relativizeFrom(cluster.LocationOfOrigin, "cluster", GetClusterFileReferences(cluster))
}

// RelativizeAuthInfoLocalPaths makes the paths in authInfo relative to the directory of its LocationOfOrigin, if they
// are below it.
func RelativizeAuthInfoLocalPaths(authInfo *api.AuthInfo) error {
	return relativizeFrom(authInfo.LocationOfOrigin, "user", GetAuthInfoFileReferences(authInfo))
}

func relativizeFrom(file, kind string, refs []*string) error {
	if file == "" {
		return fmt.Errorf("%s has no location of origin", kind)
	}
	base, err := directoryOf(file)
	if err != nil {
		return err
	}
	if err := ResolvePaths(refs, base); err != nil {
		return err
	}
	return RelativizePathWithNoBacksteps(refs, base)
}

// RelativizeConfigPaths makes all paths in config relative to base, if they are below it.
func RelativizeConfigPaths(config *api.Config, base string) error {
	return RelativizePathWithNoBacksteps(GetConfigFileReferences(config), base)
}

// ResolveConfigPaths makes all paths in config absolute. Relative ones start at base.
func ResolveConfigPaths(config *api.Config, base string) error {
	return ResolvePaths(GetConfigFileReferences(config), base)
}

// GetConfigFileReferences returns pointers to all paths in config.
func GetConfigFileReferences(config *api.Config) []*string {
	refs := []*string{}
	for _, cluster := range config.Clusters {
		refs = append(refs, GetClusterFileReferences(cluster)...)
	}
	for _, user := range config.AuthInfos {
		refs = append(refs, GetAuthInfoFileReferences(user)...)
	}
	return refs
}

// GetClusterFileReferences returns pointers to the paths in cluster.
func GetClusterFileReferences(cluster *api.Cluster) []*string {
	return []*string{&cluster.CertificateAuthority}
}

// GetAuthInfoFileReferences returns pointers to the paths in authInfo. The command of an exec plugin is a path if
// it contains a separator; otherwise it is looked up in PATH.
func GetAuthInfoFileReferences(authInfo *api.AuthInfo) []*string {
	refs := []*string{&authInfo.ClientCertificate, &authInfo.ClientKey, &authInfo.TokenFile}
	if exec := authInfo.Exec; exec != nil && strings.ContainsRune(exec.Command, filepath.Separator) {
		refs = append(refs, &exec.Command)
	}
	return refs
}

// ResolvePaths makes the paths that refs point to absolute. Relative ones start at base; empty ones stay empty.
func ResolvePaths(refs []*string, base string) error {
	for _, ref := range refs {
		*ref = api.ResolvePath(*ref, base)
	}
	return nil
}

// RelativizePathWithNoBacksteps makes the paths that refs point to relative to base. Absolute paths that are not
// below base stay absolute; relative ones that are not below it are an error.
func RelativizePathWithNoBacksteps(refs []*string, base string) error {
	for _, ref := range refs {
		rel, err := MakeRelative(*ref, base)
		if err != nil {
			return err
		}
		if strings.HasPrefix(rel, "../") || strings.HasPrefix(rel, ".."+string(os.PathSeparator)) {
			if filepath.IsAbs(*ref) {
				continue
			}
			return fmt.Errorf("%v requires backsteps and is not absolute", *ref)
		}
		*ref = rel
	}
	return nil
}

// MakeRelative returns path relative to base. An empty path stays empty.
func MakeRelative(path, base string) (string, error) {
	if path == "" {
		return "", nil
	}
	rel, err := filepath.Rel(base, path)
	if err != nil {
		return path, err
	}
	return rel, nil
}
