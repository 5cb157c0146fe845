package clientcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"
)

// Names that programs use for kubeconfigs.
const (
	// RecommendedConfigPathFlag is the name of the flag for an explicit path.
	RecommendedConfigPathFlag = "kubeconfig"
	// RecommendedConfigPathEnvVar is the environment variable with a list of paths.
	RecommendedConfigPathEnvVar = "KUBECONFIG"
	// RecommendedHomeDir is the directory below the home directory.
	RecommendedHomeDir = ".kube"
	// RecommendedFileName is the file in it.
	RecommendedFileName = "config"
	// RecommendedSchemaName is the file of a cached schema in it, which nothing uses.
	RecommendedSchemaName = "schema"
)

// The paths made of these names and of the home directory when the program started.
var (
	RecommendedConfigDir  = filepath.Join(homeDirectory(), RecommendedHomeDir)
	RecommendedHomeFile   = filepath.Join(RecommendedConfigDir, RecommendedFileName)
	RecommendedSchemaFile = filepath.Join(RecommendedConfigDir, RecommendedSchemaName)
)

// ClientConfigLoader loads a kubeconfig.
type ClientConfigLoader interface {
	ConfigAccess
	// IsDefaultConfig reports whether a client's configuration is only the defaults, so that a pod's service
	// account takes precedence.
	IsDefaultConfig(*rest.Config) bool
	// Load returns the kubeconfig, merged from all files.
	Load() (*api.Config, error)
}

// ClientConfigLoadingRules is the ClientConfigLoader of files. It must not be modified during calls of its
// methods.
type ClientConfigLoadingRules struct {
	// ExplicitPath is the only file, if it is not empty. It must exist.
	ExplicitPath string
	// Precedence are the files otherwise, the one that wins first. Those that are missing are skipped, and so
	// are empty names.
	Precedence []string

	// MigrationRules maps files to earlier locations of the same file: Load first copies a file from there if
	// it does not exist.
	MigrationRules map[string]string

	// DoNotResolvePaths keeps relative paths in the kubeconfig. The zero value resolves them against the
	// directory of the file that they are in.
	DoNotResolvePaths bool

	// DefaultClientConfig is what IsDefaultConfig compares with. Nil means that nothing is default.
	DefaultClientConfig ClientConfig

	// WarnIfAllMissing reports a MissingConfigError to Warner if none of the files exists.
	WarnIfAllMissing bool

	// Warner receives warnings. Nil means the log, at verbosity 1.
	Warner WarningHandler
}

var _ ClientConfigLoader = &ClientConfigLoadingRules{}

// WarningHandler receives warnings.
type WarningHandler func(error)

// Warn calls handler, or logs err if handler is nil.
func (handler WarningHandler) Warn(err error) {
	if handler == nil {
		klog.V(1).Info(err)
		return
	}
	handler(err)
}

// MissingConfigError is the warning that no file exists.
type MissingConfigError struct {
	// Missing are the paths.
	Missing []string
}

// Error returns the text of the warning.
func (e MissingConfigError) Error() string {
	return "Config not found: " + strings.Join(e.Missing, ", ")
}

// NewDefaultClientConfigLoadingRules returns rules for the files in the environment variable KUBECONFIG, or else
// for ~/.kube/config.
func NewDefaultClientConfigLoadingRules() *ClientConfigLoadingRules {
	rules := &ClientConfigLoadingRules{
		Precedence:     environmentFiles(RecommendedConfigPathEnvVar),
		MigrationRules: migrationRules(),
	}
	if len(rules.Precedence) > 0 {
		rules.WarnIfAllMissing = true
	} else {
		rules.Precedence = []string{RecommendedHomeFile}
	}
	return rules
}

// environmentFiles returns the list of files in an environment variable, without duplicates.
func environmentFiles(variable string) []string {
	var files []string
	for _, file := range filepath.SplitList(os.Getenv(variable)) {
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

// Load returns the kubeconfig in the explicit file, or else merged from all files that exist. Of entries with the
// same name, and of other settings, the first one wins. All files with errors are reported; the config is then
// merged from the others.
func (rules *ClientConfigLoadingRules) Load() (*api.Config, error) {
	if err := rules.Migrate(); err != nil {
		return nil, err
	}
	if rules.ExplicitPath != "" {
		if _, err := os.Stat(rules.ExplicitPath); errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	config, missing, found, errs := api.NewConfig(), []string(nil), false, []error(nil)
	for _, file := range rules.GetLoadingPrecedence() {
		if file == "" {
			continue
		}
		next, err := LoadFromFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, file)
		case err != nil:
			errs = append(errs, inFile(file, err))
		default:
			found = true
			fillConfig(config, next)
		}
	}
	if rules.WarnIfAllMissing && len(missing) > 0 && !found {
		rules.Warner.Warn(MissingConfigError{Missing: missing})
	}
	if rules.ResolvePaths() {
		if err := ResolveLocalPaths(config); err != nil {
			errs = append(errs, err)
		}
	}
	return config, utilerrors.NewAggregate(errs)
}

// GetLoadingPrecedence returns the files, the one that wins first. The caller may modify the result.
func (rules *ClientConfigLoadingRules) GetLoadingPrecedence() []string {
	if rules.ExplicitPath != "" {
		return []string{rules.ExplicitPath}
	}
	return append([]string{}, rules.Precedence...)
}

// GetStartingConfig returns the kubeconfig that ModifyConfig compares with: an empty one if the explicit file does
// not exist.
func (rules *ClientConfigLoadingRules) GetStartingConfig() (*api.Config, error) {
	config, err := rules.Load()
	if errors.Is(err, fs.ErrNotExist) {
		return api.NewConfig(), nil
	}
	if err != nil {
		return nil, err
	}
	return config, nil
}

// GetDefaultFilename returns the file for new entries: the explicit one, or else the first one that exists, or
// else the first one.
func (rules *ClientConfigLoadingRules) GetDefaultFilename() string {
	if rules.IsExplicitFile() {
		return rules.ExplicitPath
	}
	if file, ok := firstExisting(rules.Precedence); ok {
		return file
	}
	if len(rules.Precedence) > 0 {
		return rules.Precedence[0]
	}
	return ""
}

func firstExisting(files []string) (string, bool) {
	for _, file := range files {
		if _, err := os.Stat(file); err == nil {
			return file, true
		}
	}
	return "", false
}

// IsExplicitFile reports whether there is an explicit file.
func (rules *ClientConfigLoadingRules) IsExplicitFile() bool {
	return rules.ExplicitPath != ""
}

// GetExplicitFile returns the explicit file.
func (rules *ClientConfigLoadingRules) GetExplicitFile() string {
	return rules.ExplicitPath
}

// IsDefaultConfig reports whether config equals the configuration of DefaultClientConfig.
func (rules *ClientConfigLoadingRules) IsDefaultConfig(config *rest.Config) bool {
	if rules.DefaultClientConfig == nil {
		return false
	}
	defaults, err := rules.DefaultClientConfig.ClientConfig()
	return err == nil && reflect.DeepEqual(config, defaults)
}

// ResolvePaths reports whether relative paths are resolved.
func (rules ClientConfigLoadingRules) ResolvePaths() bool {
	return !rules.DoNotResolvePaths
}

// KubeconfigGetter returns a kubeconfig.
type KubeconfigGetter func() (*api.Config, error)

// ClientConfigGetter is the ClientConfigLoader of a function, without files; see BuildConfigFromKubeconfigGetter.
type ClientConfigGetter struct {
	kubeconfigGetter KubeconfigGetter
}

var _ ClientConfigLoader = &ClientConfigGetter{}

// Load calls the function.
func (g *ClientConfigGetter) Load() (*api.Config, error) { return g.kubeconfigGetter() }

// GetLoadingPrecedence returns nil.
func (g *ClientConfigGetter) GetLoadingPrecedence() []string { return nil }

// GetStartingConfig calls the function.
func (g *ClientConfigGetter) GetStartingConfig() (*api.Config, error) { return g.kubeconfigGetter() }

// GetDefaultFilename returns "".
func (g *ClientConfigGetter) GetDefaultFilename() string { return "" }

// IsExplicitFile returns false.
func (g *ClientConfigGetter) IsExplicitFile() bool { return false }

// GetExplicitFile returns "".
func (g *ClientConfigGetter) GetExplicitFile() string { return "" }

// IsDefaultConfig returns false.
func (g *ClientConfigGetter) IsDefaultConfig(*rest.Config) bool { return false }

// migrationRules returns the earlier locations of RecommendedHomeFile.
func migrationRules() map[string]string {
	return map[string]string{
		RecommendedHomeFile: filepath.Join(os.Getenv("HOME"), RecommendedHomeDir, earlierFileName()),
	}
}

// Migrate applies MigrationRules. The copies are readable only for their owner.
func (rules *ClientConfigLoadingRules) Migrate() error {
	for destination, source := range rules.MigrationRules {
		if err := migrate(destination, source); err != nil {
			return fmt.Errorf("cannot migrate %v to %v: %w", source, destination, err)
		}
	}
	return nil
}

// migrate copies source to destination if only source exists. Files that may not be accessed are skipped.
func migrate(destination, source string) error {
	if _, err := os.Stat(destination); err == nil || errors.Is(err, fs.ErrPermission) {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, err := os.Stat(source)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("because it is a directory")
	}
	data, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	return os.WriteFile(destination, data, 0o600)
}
