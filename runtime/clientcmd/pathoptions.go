package clientcmd

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// PathOptions is the ConfigAccess of programs that modify kubeconfigs.
type PathOptions struct {
	// GlobalFile is the path of the file that is used if the environment names none.
	GlobalFile string
	// EnvVar is the environment variable with a list of files. Empty means none.
	EnvVar string
	// ExplicitFileFlag is the name of the flag for LoadingRules.ExplicitPath.
	ExplicitFileFlag string

	// GlobalFileSubpath is GlobalFile below the home directory, for help texts.
	GlobalFileSubpath string

	// LoadingRules contain the explicit path; they are required.
	LoadingRules *ClientConfigLoadingRules
}

var _ ConfigAccess = &PathOptions{}

// NewDefaultPathOptions returns options for the files in KUBECONFIG, or else for ~/.kube/config.
func NewDefaultPathOptions() *PathOptions {
	rules := NewDefaultClientConfigLoadingRules()
	rules.DoNotResolvePaths = true
	return &PathOptions{
		GlobalFile:        RecommendedHomeFile,
		EnvVar:            RecommendedConfigPathEnvVar,
		ExplicitFileFlag:  RecommendedConfigPathFlag,
		GlobalFileSubpath: filepath.Join(RecommendedHomeDir, RecommendedFileName),
		LoadingRules:      rules,
	}
}

// GetEnvVarFiles returns the files in the environment variable, without duplicates.
func (o *PathOptions) GetEnvVarFiles() []string {
	if o.EnvVar == "" {
		return []string{}
	}
	return append([]string{}, environmentFiles(o.EnvVar)...)
}

// GetLoadingPrecedence returns the explicit file, or else those in the environment variable, or else the global
// one.
func (o *PathOptions) GetLoadingPrecedence() []string {
	if o.IsExplicitFile() {
		return []string{o.GetExplicitFile()}
	}
	if files := o.GetEnvVarFiles(); len(files) > 0 {
		return files
	}
	return []string{o.GlobalFile}
}

// GetStartingConfig returns the kubeconfig that is merged from these files, or an empty one if the explicit file
// does not exist.
func (o *PathOptions) GetStartingConfig() (*api.Config, error) {
	rules := *o.LoadingRules
	rules.Precedence = o.GetLoadingPrecedence()
	config, err := rules.Load()
	if errors.Is(err, fs.ErrNotExist) {
		return api.NewConfig(), nil
	}
	if err != nil {
		return nil, err
	}
	return config, nil
}

// GetDefaultFilename returns the explicit file, or else the first file in the environment variable that exists,
// or else the last one in it, or else the global one.
func (o *PathOptions) GetDefaultFilename() string {
	if o.IsExplicitFile() {
		return o.GetExplicitFile()
	}
	files := o.GetEnvVarFiles()
	if len(files) == 0 {
		return o.GlobalFile
	}
	if file, ok := firstExisting(files); ok {
		return file
	}
	return files[len(files)-1]
}

// IsExplicitFile reports whether there is an explicit file.
func (o *PathOptions) IsExplicitFile() bool {
	return o.LoadingRules.IsExplicitFile()
}

// GetExplicitFile returns the explicit file.
func (o *PathOptions) GetExplicitFile() string {
	return o.LoadingRules.GetExplicitFile()
}
