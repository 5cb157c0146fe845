package suite

import (
	"context"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/runtime/rest"
)

// RealFlags returns the flags of a real API server that runs the cases with a plugin, or with "", the others.
func RealFlags(plugin string) []string {
	if plugin == "" {
		return nil
	}
	return []string{enable(plugin)}
}

// RealActions returns the actions of a real API server.
func RealActions(server *kube.Server) Actions {
	return Actions{
		Config: func(user string, groups []string) (*rest.Config, error) {
			config := server.Config()
			switch user {
			case "":
			case Nobody:
				config = rest.AnonymousClientConfig(config)
			default:
				config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: groups}
			}
			return config, nil
		},
		// What is compacted is discarded when the server restarts: until then it responds from
		// memory.
		Compact: func(ctx context.Context) error {
			if err := server.Compact(ctx); err != nil {
				return err
			}
			return server.Restart(ctx)
		},
		Restart: server.Restart,
	}
}
