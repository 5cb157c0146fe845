package apitest_test

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest"
)

// Invalid options are reported with the name of the option and the reason.
func TestOptionErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		opts []apitest.Option
		want string
	}{
		{"no scheme", []apitest.Option{apitest.WithScheme(nil)}, "WithScheme: the scheme is nil"},
		{"no definition", []apitest.Option{apitest.WithCRDObjects(nil)}, "a definition is nil"},
		{"no object", []apitest.Option{apitest.WithObjects(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, nil)}, "object 2 is nil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv, err := apitest.New(c.opts...)
			if err == nil {
				t.Fatal("it started", srv.Stop())
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want %q in it", err, c.want)
			}
		})
	}
	srv := apitest.Start(t)
	if err := srv.Apply(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "a definition is nil") {
		t.Errorf("applied nil: %v", err)
	}
}
