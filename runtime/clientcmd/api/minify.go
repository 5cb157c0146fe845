package api

import (
	"errors"
	"fmt"
)

// IsConfigEmpty reports whether config contains nothing.
func IsConfigEmpty(config *Config) bool {
	return len(config.AuthInfos) == 0 && len(config.Clusters) == 0 && len(config.Contexts) == 0 &&
		config.CurrentContext == "" &&
		len(config.Preferences.Extensions) == 0 && !config.Preferences.Colors &&
		len(config.Extensions) == 0
}

// MinifyConfig removes from config all contexts except the current one, and the clusters and users that it does
// not use. It returns an error, and does not change config, if there is no current context or if the context
// refers to a cluster or user that does not exist.
func MinifyConfig(config *Config) error {
	name := config.CurrentContext
	if name == "" {
		return errors.New("current-context must exist in order to minify")
	}
	context, ok := config.Contexts[name]
	if !ok || context == nil {
		return fmt.Errorf("cannot locate context %v", name)
	}
	clusters, ok := only(config.Clusters, context.Cluster)
	if !ok {
		return fmt.Errorf("cannot locate cluster %v", context.Cluster)
	}
	users, ok := only(config.AuthInfos, context.AuthInfo)
	if !ok {
		return fmt.Errorf("cannot locate user %v", context.AuthInfo)
	}
	config.Contexts = map[string]*Context{name: context}
	config.Clusters, config.AuthInfos = clusters, users
	return nil
}

// only returns a map with the entry of m under name, or an empty one if name is empty. It returns false if there
// is no such entry.
func only[T any](m map[string]*T, name string) (map[string]*T, bool) {
	if name == "" {
		return map[string]*T{}, true
	}
	entry, ok := m[name]
	return map[string]*T{name: entry}, ok
}
