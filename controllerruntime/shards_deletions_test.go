package controllerruntime

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Deletions for which no request comes are forgotten when there are many, those that are asked for are not.
func TestDeletions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d deletions
		for i := range many {
			d.note(&metav1.ObjectMeta{Namespace: "bay", Name: fmt.Sprint(i), UID: types.UID(fmt.Sprint("uid-", i))})
		}
		time.Sleep(forgetAfter)
		name := types.NamespacedName{Namespace: "bay", Name: "7"}
		if uid := d.of(name); uid != "uid-7" {
			t.Errorf("UID %q", uid)
		}
		time.Sleep(time.Second)
		d.note(&metav1.ObjectMeta{Namespace: "bay", Name: "last", UID: "uid-last"})
		if len(d.uids) != 2 || d.of(name) != "uid-7" {
			t.Errorf("%d deletions are kept, want the one that was asked for and the last one", len(d.uids))
		}
		d.forget(name, "uid-6")
		if d.of(name) == "" {
			t.Error("a later deletion was forgotten")
		}
		d.forget(name, "uid-7")
		if uid := d.of(name); uid != "" {
			t.Errorf("UID %q of a deletion that was forgotten", uid)
		}
	})
}
