package suite

import (
	"context"

	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ApitestOptions returns the options of a server that runs the cases.
func ApitestOptions() []embedded.Option {
	return []embedded.Option{embedded.WithScheme(scheme.Scheme)}
}

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
