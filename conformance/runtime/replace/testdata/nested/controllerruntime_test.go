package controllerruntime_test

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	kubeinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	theirs "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
)

// With the line, client-go's informers keep fields, and its clients, fakes and those of controller-runtime refuse to write
// what was cut.
func TestClientGoRefusesCutObjects(t *testing.T) {
	_, config, direct := fleet(t, "sea/a")
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	stop := make(chan struct{})
	factory := kubeinformers.NewSharedInformerFactoryWithOptions(clients, 0, kubeinformers.WithTransform(theirs.TransformFunc(cache.Keep("data"))))
	lister := factory.Core().V1().ConfigMaps().Lister()
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	defer factory.Shutdown()
	defer close(stop)
	stored, err := lister.ConfigMaps("sea").Get("a")
	if err != nil || !codec.IsCut(stored) || stored.Data["name"] != "a" {
		t.Fatal(err, stored)
	}
	cut := stored.DeepCopy()
	for name, c := range map[string]kubernetes.Interface{"clientset": clients, "fake": fake.NewClientset()} {
		_, create := c.CoreV1().ConfigMaps("sea").Create(ctx, cut, metav1.CreateOptions{})
		_, update := c.CoreV1().ConfigMaps("sea").Update(ctx, cut, metav1.UpdateOptions{})
		for what, err := range map[string]error{"create": create, "update": update} {
			if !errors.Is(err, codec.ErrCut) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	if err := direct.Update(ctx, cut); !errors.Is(err, codec.ErrCut) {
		t.Errorf("controller-runtime: %v", err)
	}
	changed := cut.DeepCopy()
	changed.Data["x"] = "y"
	if err := direct.Patch(ctx, changed, client.MergeFrom(cut)); err != nil {
		t.Fatal(err)
	}
	got, err := clients.CoreV1().ConfigMaps("sea").Patch(ctx, "a", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{})
	if err != nil || len(got.Data) != 3 || got.GetSelfLink() != "" || len(got.Labels) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}
