package clientcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ConfigAccess describes the files of a kubeconfig.
type ConfigAccess interface {
	// GetLoadingPrecedence returns the files, the one that wins first.
	GetLoadingPrecedence() []string
	// GetStartingConfig returns the kubeconfig as it is in the files.
	GetStartingConfig() (*api.Config, error)
	// GetDefaultFilename returns the file for new entries.
	GetDefaultFilename() string
	// IsExplicitFile reports whether there is exactly one file, named by the user.
	IsExplicitFile() bool
	// GetExplicitFile returns this file.
	GetExplicitFile() string
}

// UseModifyConfigLock makes ModifyConfig lock the files. It is true by default. Without locks, changes of
// concurrent calls and of other processes may be lost.
var UseModifyConfigLock = true

// ModifyConfig writes the differences between newConfig and the files' present contents to these files. An entry
// is written to its LocationOfOrigin, or to the default file if that is empty. Preferences and current-context are
// written to the explicit file; otherwise, a current-context is written to the default file or removed from the
// first file that sets it, and preferences are written to the first file in which they differ. Changes of the config's
// own extensions are not written.
//
// If relativizePaths is true, paths in the written entries are made relative to the file, if they are below its
// directory. All paths in newConfig must be absolute then.
//
// While it runs, each file of configAccess has a lock file, with the suffix ".lock". If one exists already, the
// error wraps fs.ErrExist.
func ModifyConfig(configAccess ConfigAccess, newConfig api.Config, relativizePaths bool) error {
	if UseModifyConfigLock {
		files := configAccess.GetLoadingPrecedence()
		slices.Sort(files) // all processes lock in the same order
		for _, file := range slices.Compact(files) {
			if file == "" {
				continue
			}
			unlock, err := lock(file)
			if err != nil {
				return err
			}
			defer unlock()
		}
	}
	old, err := configAccess.GetStartingConfig()
	if err != nil {
		return err
	}
	if reflect.DeepEqual(*old, newConfig) {
		return nil
	}
	m := modification{access: configAccess, relativize: relativizePaths, files: map[string]*api.Config{}}
	if err := m.apply(old, &newConfig); err != nil {
		return err
	}
	return m.write()
}

// modification is a set of files with changes.
type modification struct {
	access     ConfigAccess
	relativize bool
	files      map[string]*api.Config // those that change, by name
}

// file returns the contents of a file, to be changed. A file that does not exist is empty.
func (m *modification) file(name string) (*api.Config, error) {
	if config := m.files[name]; config != nil {
		return config, nil
	}
	config, err := configFromFile(name)
	if err != nil {
		return nil, err
	}
	m.files[name] = config
	return config, nil
}

// home returns the contents of the file of an entry, and its name.
func (m *modification) home(origin string) (*api.Config, string, error) {
	if origin == "" {
		origin = m.access.GetDefaultFilename()
	}
	config, err := m.file(origin)
	return config, origin, err
}

func (m *modification) write() error {
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		if err := WriteToFile(*m.files[name], name); err != nil {
			return err
		}
	}
	return nil
}

func (m *modification) apply(old, to *api.Config) error {
	if old.CurrentContext != to.CurrentContext {
		if err := m.setCurrentContext(to.CurrentContext); err != nil {
			return err
		}
	}
	if !reflect.DeepEqual(old.Preferences, to.Preferences) {
		if err := m.setPreferences(to.Preferences); err != nil {
			return err
		}
	}
	err := modify(m, old.Clusters, to.Clusters,
		func(c *api.Config) map[string]*api.Cluster { return c.Clusters },
		func(c *api.Cluster) *string { return &c.LocationOfOrigin },
		RelativizeClusterLocalPaths)
	if err != nil {
		return err
	}
	err = modify(m, old.Contexts, to.Contexts,
		func(c *api.Config) map[string]*api.Context { return c.Contexts },
		func(c *api.Context) *string { return &c.LocationOfOrigin },
		func(*api.Context) error { return nil })
	if err != nil {
		return err
	}
	return modify(m, old.AuthInfos, to.AuthInfos,
		func(c *api.Config) map[string]*api.AuthInfo { return c.AuthInfos },
		func(u *api.AuthInfo) *string { return &u.LocationOfOrigin },
		relativizeAuthInfo)
}

// relativizeAuthInfo is RelativizeAuthInfoLocalPaths without a change of what authInfo refers to.
func relativizeAuthInfo(authInfo *api.AuthInfo) error {
	authInfo.Exec = authInfo.Exec.DeepCopy()
	return RelativizeAuthInfoLocalPaths(authInfo)
}

// modify writes to the files of m how the entries of one kind differ. entries returns those of a file, origin the
// field with the file's name.
func modify[T any](m *modification, old, to map[string]*T, entries func(*api.Config) map[string]*T, origin func(*T) *string, relativize func(*T) error) error {
	for name, entry := range to {
		if entry == nil {
			return fmt.Errorf("entry %q is nil", name)
		}
		if reflect.DeepEqual(entry, old[name]) {
			continue
		}
		config, file, err := m.home(*origin(entry))
		if err != nil {
			return err
		}
		changed := *entry
		*origin(&changed) = file
		if m.relativize {
			if err := relativize(&changed); err != nil {
				return err
			}
		}
		entries(config)[name] = &changed
	}
	for name, entry := range old {
		if _, ok := to[name]; ok {
			continue
		}
		config, _, err := m.home(*origin(entry))
		if err != nil {
			return err
		}
		delete(entries(config), name)
	}
	return nil
}

func (m *modification) setCurrentContext(name string) error {
	if m.access.IsExplicitFile() || name != "" {
		origin := ""
		if m.access.IsExplicitFile() {
			origin = m.access.GetExplicitFile()
		}
		config, _, err := m.home(origin)
		if err != nil {
			return err
		}
		config.CurrentContext = name
		return nil
	}
	for _, file := range m.access.GetLoadingPrecedence() {
		config, err := configFromFile(file)
		if err != nil {
			return err
		}
		if config.CurrentContext != "" {
			config.CurrentContext = ""
			m.files[file] = config
			return nil
		}
	}
	return errors.New("no config found to write context")
}

func (m *modification) setPreferences(preferences api.Preferences) error {
	files := m.access.GetLoadingPrecedence()
	if m.access.IsExplicitFile() {
		files = []string{m.access.GetExplicitFile()}
	}
	for _, file := range files {
		config := m.files[file]
		if config == nil {
			var err error
			if config, err = configFromFile(file); err != nil {
				return err
			}
		}
		if !reflect.DeepEqual(config.Preferences, preferences) {
			config.Preferences = preferences
			m.files[file] = config
			return nil
		}
	}
	return errors.New("no config found to write preferences")
}

// configFromFile returns the kubeconfig in a file, or an empty one if there is no such file.
func configFromFile(filename string) (*api.Config, error) {
	config, err := LoadFromFile(filename)
	if errors.Is(err, fs.ErrNotExist) {
		return api.NewConfig(), nil
	}
	return config, err
}

// GetConfigFromFileOrDie returns the kubeconfig in a file, or an empty one if there is no such file. On any other
// error it ends the process.
func GetConfigFromFileOrDie(filename string) *api.Config {
	config, err := configFromFile(filename)
	if err != nil {
		klog.ErrorDepth(1, err)
		klog.Flush()
		os.Exit(255)
	}
	return config
}

// PersisterForUser returns a persister that stores the configuration of a user's auth provider in the files of
// configAccess. It does nothing if the user has no auth provider in them.
func PersisterForUser(configAccess ConfigAccess, user string) rest.AuthProviderConfigPersister {
	return &persister{configAccess, user}
}

type persister struct {
	access ConfigAccess
	user   string
}

func (p *persister) Persist(provider map[string]string) error {
	config, err := p.access.GetStartingConfig()
	if err != nil {
		return err
	}
	user := config.AuthInfos[p.user]
	if user == nil || user.AuthProvider == nil {
		return nil
	}
	user.AuthProvider.Config = provider
	return ModifyConfig(p.access, *config, false)
}
