package gentype_test

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/gentype"
)

// TestCutObjects holds that an object that was cut is not sent.
func TestCutObjects(t *testing.T) {
	f, err := codec.ParseFields()
	if err != nil {
		t.Fatal(err)
	}
	cut := &object{ObjectMeta: metav1.ObjectMeta{Name: "one"}}
	if err := f.Prune(cut); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	c, sent := client(t, "here", thing)
	for what, write := range map[string]func() error{
		"create": func() error { _, err := c.Create(ctx, cut, metav1.CreateOptions{}); return err },
		"update": func() error { _, err := c.Update(ctx, cut, metav1.UpdateOptions{}); return err },
		"status": func() error { _, err := c.UpdateStatus(ctx, cut, metav1.UpdateOptions{}); return err },
		"other verb": func() error {
			return gentype.NewObjectRequest(c, "PUT", "one", &metav1.UpdateOptions{}, "approval").Body(cut).Do(ctx).Error()
		},
	} {
		if err := write(); !errors.Is(err, codec.ErrCut) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if sent.Method != "" {
		t.Errorf("a request was sent: %s %s", sent.Method, sent.URI)
	}
	if _, err := c.Patch(ctx, "one", "application/merge-patch+json", []byte(`{}`), metav1.PatchOptions{}); err != nil {
		t.Error(err)
	}
}
