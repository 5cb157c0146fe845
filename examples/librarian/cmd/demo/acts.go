package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
)

func (t teller) shelf(ctx context.Context, name string, length int32) error {
	_, err := t.shelves.Create(ctx, &libraryv1.Shelf{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       libraryv1.ShelfSpec{Length: length},
	}, metav1.CreateOptions{})
	return err
}

func (t teller) book(ctx context.Context, title string) error {
	_, err := t.books.Create(ctx, &libraryv1.Book{
		ObjectMeta: metav1.ObjectMeta{Name: strings.ToLower(title)},
		Spec:       libraryv1.BookSpec{Title: title, Pages: 400},
	}, metav1.CreateOptions{})
	return err
}

// await waits until the controller has put the books on the shelf.
func (t teller) await(ctx context.Context, shelf string, books ...string) error {
	for _, name := range books {
		if err := t.awaitOne(ctx, shelf, name); err != nil {
			return fmt.Errorf("book %s does not come to shelf %s: %w", name, shelf, err)
		}
	}
	return nil
}

func (t teller) awaitOne(ctx context.Context, shelf, name string) error {
	// A watch without a resource version starts with the existing objects.
	changes, err := t.books.Watch(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("metadata.name", name).String()})
	if err != nil {
		return err
	}
	defer changes.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case change, ok := <-changes.ResultChan():
			if !ok {
				return errors.New("the watch has ended")
			}
			if book, ok := change.Object.(*libraryv1.Book); ok && book.Status.Shelf == shelf {
				return nil
			}
		}
	}
}
