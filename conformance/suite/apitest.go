package suite

import (
	"context"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ApitestActions are those of an apitest server.
func ApitestActions(server *apitest.Server) Actions {
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
			return nil
		},
		Restart: func(context.Context) error { return server.Restart() },
	}
}
