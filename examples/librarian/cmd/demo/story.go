package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned"
	libraryclient "github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned/typed/library/v1"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// teller performs the demo's actions with its own client.
type teller struct {
	books   libraryclient.BookInterface
	shelves libraryclient.ShelfInterface
}

func tell(ctx context.Context, client versioned.Interface) error {
	t := teller{client.LibraryV1().Books("default"), client.LibraryV1().Shelves("default")}
	for _, scene := range []func(context.Context) error{t.arrive, t.overflow, t.remove, t.mistake, t.look} {
		if err := scene(ctx); err != nil {
			return err
		}
	}
	return nil
}

func say(line string) { fmt.Println("\n" + line) }

// arrive creates a shelf and more books than it has room for.
func (t teller) arrive(ctx context.Context) error {
	say("A shelf with room for two books, and two books.")
	if err := t.shelf(ctx, "classics", 2); err != nil {
		return err
	}
	for _, title := range []string{"Emma", "Ulysses"} {
		if err := t.book(ctx, title); err != nil {
			return err
		}
	}
	return t.await(ctx, "classics", "emma", "ulysses")
}

// overflow creates a book without room, and a second shelf.
func (t teller) overflow(ctx context.Context) error {
	say("A third book finds no room, until there is another shelf.")
	if err := t.book(ctx, "Walden"); err != nil {
		return err
	}
	if err := t.shelf(ctx, "travels", 5); err != nil {
		return err
	}
	return t.await(ctx, "travels", "walden")
}

// remove deletes the first shelf.
func (t teller) remove(ctx context.Context) error {
	say("The first shelf is taken away: its books move.")
	if err := t.shelves.Delete(ctx, "classics", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return t.await(ctx, "travels", "emma", "ulysses")
}

// mistake shows that the server validates objects against the schema of their CRD.
func (t teller) mistake(ctx context.Context) error {
	say("A book without pages is invalid. The server responds:")
	_, err := t.books.Create(ctx, &libraryv1.Book{ObjectMeta: metav1.ObjectMeta{Name: "empty"}, Spec: libraryv1.BookSpec{Title: "Empty"}}, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) {
		return fmt.Errorf("a book without pages: %w", cmp.Or(err, fmt.Errorf("was taken")))
	}
	fmt.Println("   ", err)
	patched, err := t.books.Patch(ctx, "emma", types.MergePatchType, []byte(`{"spec":{"title":"Emma, a novel"}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	fmt.Printf("A patch of a title is fine: generation %d, resource version %s.\n", patched.Generation, patched.ResourceVersion)
	return nil
}

// look prints the final objects.
func (t teller) look(ctx context.Context) error {
	books, err := t.books.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	say("In the end:")
	for _, book := range books.Items {
		fmt.Printf("    %-16q on %s\n", book.Spec.Title, book.Status.Shelf)
	}
	return nil
}
