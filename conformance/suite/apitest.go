package suite

import (
	"fmt"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ApitestActions are those of an apitest server.
func ApitestActions(server *apitest.Server) Actions {
	return Actions{
		Config: func(user string, _ []string) (*rest.Config, error) {
			if server == nil || user != "" {
				return nil, fmt.Errorf("user %q: %w", user, ErrUnsupported)
			}
			return server.Config(), nil
		},
	}
}
