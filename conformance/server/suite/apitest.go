package suite

import (
	"context"

	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ApitestOptions returns the options of a server that runs the cases without a plugin.
func ApitestOptions() []embedded.Option {
	return []embedded.Option{embedded.WithScheme(scheme.Scheme)}
}

// PluginOptions returns the options of a server that runs the cases with a plugin, or with "", the others.
func PluginOptions(plugin string) ([]embedded.Option, error) {
	if plugin == "" {
		return ApitestOptions(), nil
	}
	options, _, err := embedded.FlagOptions([]string{"--secure-port=0", enable(plugin)})
	return append(options, ApitestOptions()...), err
}

// enable is the flag that enables a plugin.
func enable(plugin string) string { return "--enable-admission-plugins=" + plugin }

// ApitestActions returns the actions of an apitest server.
func ApitestActions(server *embedded.Server) Actions {
	return Actions{
		Config: func(user string, groups []string) (*rest.Config, error) {
			switch user {
			case "":
				return server.Config(), nil
			case Nobody:
				return rest.AnonymousClientConfig(server.Config()), nil
			}
			return server.ConfigFor(user, groups...), nil
		},
		Compact: func(context.Context) error {
			server.Faults().ExpireHistory()
			return server.Restart()
		},
		Restart: func(context.Context) error { return server.Restart() },
	}
}
