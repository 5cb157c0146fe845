package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// deltas plays a reflector that fills a DeltaFIFO, and the consumer that empties it into a store. It needs no server.
func deltas(_ context.Context, _ *rest.Config, out io.Writer) error {
	store := cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc) // its keys are also those of tombstones
	queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: store, EmitDeltaTypeReplaced: true})
	a, b, c := named("a"), named("b"), named("c")
	if err := errors.Join(
		queue.Replace([]any{a, b}, "1"), // a list
		queue.Add(c),                    // events of a watch
		queue.Update(a),
		queue.Replace([]any{a, c}, "9"), // the watch broke; in the next list, b is missing
	); err != nil {
		return err
	}
	queue.Close() // what is in it is still handed out

	for {
		_, err := queue.Pop(func(item any, _ bool) error {
			for _, delta := range item.(cache.Deltas) {
				key, err := queue.KeyOf(delta.Object)
				if err != nil {
					return err
				}
				_, tombstone := delta.Object.(cache.DeletedFinalStateUnknown)
				fmt.Fprintf(out, "%s %s, tombstone: %t\n", key, delta.Type, tombstone)
				if delta.Type == cache.Deleted {
					return store.Delete(delta.Object)
				}
				if err := store.Add(delta.Object); err != nil {
					return err
				}
			}
			return nil
		})
		if errors.Is(err, cache.ErrFIFOClosed) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func named(name string) *corev1.Pod { return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}} }
