package fakes_test

import (
	"context"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/golden/view/clientset/versioned/fake"
	"github.com/listwatch/listwatch/golden/view/informers/externalversions"
	"github.com/listwatch/listwatch/runtime/cache"
	cafev1 "github.com/listwatch/listwatch/testdata/apis/view/cafe/v1"
	"github.com/listwatch/listwatch/testdata/apis/view/views"
)

// TestViewFakes checks that a fake clientset stores the objects of views, apart from those of their kinds and of other
// views, and that listers and informers read them.
func TestViewFakes(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	table := func(name, shape string) *views.TableView {
		v := &views.TableView{Meta: views.Meta{Name: name, Namespace: "ns", Labels: map[string]string{"shape": shape}}}
		v.Spec.Room = "garden"
		return v
	}
	client := fake.NewClientset(
		table("a", "round"), table("b", "long"),
		&cafev1.Table{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "ns"}},
		&views.WaiterShift{ObjectMeta: metav1.ObjectMeta{Name: "w"}, Shift: "night"},
		&views.Book{Metadata: metav1.ObjectMeta{Name: "emma", Namespace: "ns"}},
	)
	factory := externalversions.NewSharedInformerFactory(client, 0)
	tables, shifts := factory.Cafe().V1().TableViews(), factory.Cafe().V1().WaiterShifts()
	books := factory.Library().V1().Books()
	updated := make(chan *views.TableView, 1)
	if _, err := tables.TypedInformer().AddTypedEventHandler(cacheHandler(updated)); err != nil {
		t.Fatal(err)
	}
	informers := []cache.SharedIndexInformer{tables.Informer(), shifts.Informer(), books.Informer()}
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	defer stop()
	for _, informer := range informers {
		if err := cache.WaitForSync(ctx, informer); err != nil {
			t.Fatal(err)
		}
	}

	round, err := tables.Lister().TableViews("ns").List(labels.SelectorFromSet(labels.Set{"shape": "round"}))
	if err != nil || len(round) != 1 || round[0].Name != "a" || round[0].Spec.Room != "garden" {
		t.Errorf("%v, %v", round, err)
	}
	shift, err := shifts.Lister().Get("w")
	if err != nil || shift.Shift != "night" {
		t.Errorf("%v, %v", shift, err)
	}
	book, err := books.Lister().Books("ns").Get("emma")
	if err != nil || book.GetName() != "emma" {
		t.Errorf("%v, %v", book, err)
	}
	if _, err = tables.Lister().TableViews("ns").Get("c"); !apierrors.IsNotFound(err) || err.Error() != `table.cafe.example.com "c" not found` {
		t.Errorf("%v", err)
	}

	all, err := client.CafeV1().TableViews("").List(ctx, metav1.ListOptions{LabelSelector: "shape=long"})
	if err != nil || len(all.Items) != 1 || all.Items[0].Name != "b" {
		t.Errorf("%v, %v", all, err)
	}
	whole, err := client.CafeV1().Tables("ns").List(ctx, metav1.ListOptions{})
	if err != nil || len(whole.Items) != 1 {
		t.Errorf("%v, %v", whole, err)
	}

	// A view has no Update, so a test changes what the fake stores.
	moved := table("a", "round")
	moved.Spec.Room = "bar"
	if err := client.Tracker().Update(cafev1.SchemeGroupVersion.WithResource("tableviews"), moved, "ns"); err != nil {
		t.Fatal(err)
	}
	if got := <-updated; got.Spec.Room != "bar" {
		t.Errorf("%+v", got)
	}
}

func cacheHandler(updated chan<- *views.TableView) cache.TypedResourceEventHandlerFuncs[*views.TableView] {
	return cache.TypedResourceEventHandlerFuncs[*views.TableView]{
		UpdateFunc: func(_, view *views.TableView) { updated <- view },
	}
}
