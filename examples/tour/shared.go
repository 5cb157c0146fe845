package main

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// shared adds three handlers to one informer: one that blocks, one that does not, and one when it already runs.
func shared(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	pods := cache.NewSharedIndexInformer(cache.ListWatchFor(client.CoreV1().Pods("tour"), nil), &corev1.Pod{}, 0, nil)
	release := make(chan struct{})
	var slow, fast, late atomic.Int32
	first, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { <-release; slow.Add(1) }})
	if err != nil {
		cancel()
		return err
	}
	second, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { fast.Add(1) }})
	if err != nil {
		cancel()
		return err
	}
	stopped := make(chan struct{})
	go func() { defer close(stopped); pods.RunWithContext(ctx) }()
	defer func() { cancel(); <-stopped }()

	// A handler has synced when it was called for the first list. None waits for another.
	if !cache.WaitFor(ctx, "", second.HasSyncedChecker()) {
		return ctx.Err()
	}
	fmt.Fprintln(out, "fast handler:", fast.Load(), "- slow handler:", slow.Load())
	third, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { late.Add(1) }})
	if err != nil {
		return err
	}
	close(release)
	if !cache.WaitFor(ctx, "", first.HasSyncedChecker(), third.HasSyncedChecker()) {
		return ctx.Err()
	}
	fmt.Fprintln(out, "late handler:", late.Load(), "- slow handler:", slow.Load())
	return nil
}
