package fake_test

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec"
	fakes "github.com/listwatch/listwatch/runtime/testing"
)

// TestCutObjects holds that an object that was cut is not sent, as by other clients.
func TestCutObjects(t *testing.T) {
	f, err := codec.ParseFields()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, newClient func() (verbs, *fakes.Fake)) {
		c, fake := newClient()
		cut := thing("one", nil)
		if err := f.Prune(cut); err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		_, create := c.Create(ctx, cut, metav1.CreateOptions{})
		_, update := c.Update(ctx, cut, metav1.UpdateOptions{})
		_, status := c.UpdateStatus(ctx, cut, metav1.UpdateOptions{})
		for what, err := range map[string]error{"create": create, "update": update, "status": status} {
			if !errors.Is(err, codec.ErrCut) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if actions := fake.Actions(); len(actions) > 0 {
			t.Errorf("actions %v", actions)
		}
	})
}
