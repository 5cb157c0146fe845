package remotecommand

import (
	"context"

	"k8s.io/klog/v2"
)

// FallbackExecutor is an [Executor] with a second one for servers that do not support the first.
type FallbackExecutor struct {
	primary, secondary Executor
	shouldFallback     func(error) bool
}

// NewFallbackExecutor returns an executor that calls primary, and then secondary if shouldFallback returns true for
// the error. That must be limited to errors before anything was streamed, such as those of
// httpstream.IsUpgradeFailure and IsHTTPSProxyError: Stdin is not read again from its beginning.
func NewFallbackExecutor(primary, secondary Executor, shouldFallback func(error) bool) (Executor, error) {
	return &FallbackExecutor{primary, secondary, shouldFallback}, nil
}

// Stream is StreamWithContext without a way to end it.
//
// Deprecated: Use StreamWithContext instead.
func (f *FallbackExecutor) Stream(options StreamOptions) error {
	return f.StreamWithContext(context.Background(), options)
}

// StreamWithContext runs the command by one of the two executors.
func (f *FallbackExecutor) StreamWithContext(ctx context.Context, options StreamOptions) error {
	err := f.primary.StreamWithContext(ctx, options)
	if err == nil || !f.shouldFallback(err) {
		return err
	}
	klog.FromContext(ctx).V(4).Info("Executor failed, falling back to the second", "err", err)
	return f.secondary.StreamWithContext(ctx, options)
}
