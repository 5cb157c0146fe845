package retry_test

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	"github.com/listwatch/listwatch/runtime/retry"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// An update of an object that another client has changed meanwhile is a conflict. Read it again and repeat the change.
func ExampleRetryOnConflict() {
	ctx := context.Background()
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}}
	books := fake.NewClientset(emma).LibraryV1().Books("default")

	attempts := 0
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		book, err := books.Get(ctx, "emma", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if attempts++; attempts == 1 { // another client is faster
			other := book.DeepCopy()
			other.Spec.Title = "Emma"
			if _, err = books.Update(ctx, other, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
		book.Spec.Pages = 474
		_, err = books.Update(ctx, book, metav1.UpdateOptions{})
		return err // not wrapped
	})
	fmt.Println(attempts, "attempts:", err)

	book, err := books.Get(ctx, "emma", metav1.GetOptions{})
	fmt.Println(book.Spec, err)
	// Output:
	// 2 attempts: <nil>
	// {Emma 474} <nil>
}

func ExampleOnError() {
	errBusy := errors.New("busy")
	busy := func(err error) bool { return errors.Is(err, errBusy) }
	attempts := 0
	err := retry.OnError(retry.DefaultRetry, busy, func() error {
		if attempts++; attempts < 3 {
			return errBusy
		}
		return nil
	})
	fmt.Println(attempts, "attempts:", err)
	// Output: 3 attempts: <nil>
}
