package watch

import (
	"context"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/cache/watch"
)

type resourceVersionGetter interface{ GetResourceVersion() string }

// The delay is ours, one second.
func newRetryWatcher(ctx context.Context, initialResourceVersion string, watcherClient cache.WatcherWithContext, _ time.Duration) (*watch.RetryWatcher, error) {
	return watch.NewRetryWatcherWithContext(ctx, initialResourceVersion, watcherClient)
}
