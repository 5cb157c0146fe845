package corpus

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// leaseBugs show if the process loses its lease.
var leaseBugs = []Case{
	{
		Name:   "work goes on after the lease is lost",
		Users:  []Step{ask("a"), ask("b")},
		Wrong:  process(createAll).led(Beyond),
		Mended: process(createAll).led(Term),
	},
	{
		Name:   "a batch goes on after the term",
		Waits:  true,
		Users:  []Step{ask("a", sized(4))},
		Wrong:  process(func(o *Operator, name string) error { return batch(context.WithoutCancel(o.ctx), o, name) }).led(Term),
		Mended: process(func(o *Operator, name string) error { return batch(o.ctx, o, name) }).led(Term),
	},
}

// batch creates the secrets of a config map slowly.
func batch(ctx context.Context, o *Operator, name string) error {
	cm := o.request(name)
	if cm == nil {
		return nil
	}
	for i := range size(cm) {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", name, i)}}
		if _, err := o.Secrets.Create(ctx, secret, metav1.CreateOptions{}); exists(err) != nil {
			return err
		}
		select {
		case <-time.After(10 * time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
