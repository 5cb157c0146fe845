package testing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

func impl(verb, namespace, subresource string) fakes.ActionImpl {
	return fakes.ActionImpl{Verb: verb, Namespace: namespace, Resource: widgets, Subresource: subresource}
}

func selectors(label, field string) fakes.ListRestrictions {
	l, err := labels.Parse(label)
	if err != nil {
		panic(err)
	}
	return fakes.ListRestrictions{Labels: l, Fields: fields.ParseSelectorOrDie(field)}
}

func TestConstructors(t *testing.T) {
	var (
		obj       = widget("a")
		patch     = []byte(`{}`)
		merge     = types.MergePatchType
		getOpts   = metav1.GetOptions{ResourceVersion: "7"}
		create    = metav1.CreateOptions{FieldManager: "m"}
		update    = metav1.UpdateOptions{FieldManager: "m"}
		patchOpts = metav1.PatchOptions{FieldManager: "m"}
		del       = metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(1))}
		list      = metav1.ListOptions{LabelSelector: "k in (b, a)", FieldSelector: "x==y", ResourceVersion: "7", Limit: 3}
		only      = metav1.ListOptions{LabelSelector: "k in (a,b)", FieldSelector: "x=y"}
		selected  = selectors("k in (a,b)", "x=y")
		watching  = fakes.WatchRestrictions{Labels: selected.Labels, Fields: selected.Fields, ResourceVersion: "7"}
		params    = map[string]string{"k": "v"}
	)
	for _, c := range []struct {
		name string
		got  fakes.Action
		want fakes.Action
	}{
		{"RootGet", fakes.NewRootGetAction(widgets, "a"), fakes.GetActionImpl{ActionImpl: impl("get", "", ""), Name: "a"}},
		{"RootGetWithOptions", fakes.NewRootGetActionWithOptions(widgets, "a", getOpts), fakes.GetActionImpl{ActionImpl: impl("get", "", ""), Name: "a", GetOptions: getOpts}},
		{"Get", fakes.NewGetAction(widgets, "n", "a"), fakes.GetActionImpl{ActionImpl: impl("get", "n", ""), Name: "a"}},
		{"GetWithOptions", fakes.NewGetActionWithOptions(widgets, "n", "a", getOpts), fakes.GetActionImpl{ActionImpl: impl("get", "n", ""), Name: "a", GetOptions: getOpts}},
		{"GetSubresource", fakes.NewGetSubresourceAction(widgets, "n", "s", "a"), fakes.GetActionImpl{ActionImpl: impl("get", "n", "s"), Name: "a"}},
		{"GetSubresourceWithOptions", fakes.NewGetSubresourceActionWithOptions(widgets, "n", "s", "a", getOpts), fakes.GetActionImpl{ActionImpl: impl("get", "n", "s"), Name: "a", GetOptions: getOpts}},
		{"RootGetSubresource", fakes.NewRootGetSubresourceAction(widgets, "s", "a"), fakes.GetActionImpl{ActionImpl: impl("get", "", "s"), Name: "a"}},
		{"RootGetSubresourceWithOptions", fakes.NewRootGetSubresourceActionWithOptions(widgets, "s", "a", getOpts), fakes.GetActionImpl{ActionImpl: impl("get", "", "s"), Name: "a", GetOptions: getOpts}},

		{"RootList", fakes.NewRootListAction(widgets, widgetKind, list), fakes.ListActionImpl{ActionImpl: impl("list", "", ""), Kind: widgetKind, ListRestrictions: selected, ListOptions: only}},
		{"RootListWithOptions", fakes.NewRootListActionWithOptions(widgets, widgetKind, list), fakes.ListActionImpl{ActionImpl: impl("list", "", ""), Kind: widgetKind, ListRestrictions: selected, ListOptions: only}},
		{"List", fakes.NewListAction(widgets, widgetKind, "n", list), fakes.ListActionImpl{ActionImpl: impl("list", "n", ""), Kind: widgetKind, ListRestrictions: selected, ListOptions: only}},
		{"ListWithOptions", fakes.NewListActionWithOptions(widgets, widgetKind, "n", list), fakes.ListActionImpl{ActionImpl: impl("list", "n", ""), Kind: widgetKind, ListRestrictions: selected, ListOptions: list}},

		{"RootCreate", fakes.NewRootCreateAction(widgets, obj), fakes.CreateActionImpl{ActionImpl: impl("create", "", ""), Object: obj}},
		{"RootCreateWithOptions", fakes.NewRootCreateActionWithOptions(widgets, obj, create), fakes.CreateActionImpl{ActionImpl: impl("create", "", ""), Object: obj, CreateOptions: create}},
		{"Create", fakes.NewCreateAction(widgets, "n", obj), fakes.CreateActionImpl{ActionImpl: impl("create", "n", ""), Object: obj}},
		{"CreateWithOptions", fakes.NewCreateActionWithOptions(widgets, "n", obj, create), fakes.CreateActionImpl{ActionImpl: impl("create", "n", ""), Object: obj, CreateOptions: create}},
		{"RootCreateSubresource", fakes.NewRootCreateSubresourceAction(widgets, "a", "s", obj), fakes.CreateActionImpl{ActionImpl: impl("create", "", "s"), Name: "a", Object: obj}},
		{"RootCreateSubresourceWithOptions", fakes.NewRootCreateSubresourceActionWithOptions(widgets, "a", "s", obj, create), fakes.CreateActionImpl{ActionImpl: impl("create", "", "s"), Name: "a", Object: obj, CreateOptions: create}},
		{"CreateSubresource", fakes.NewCreateSubresourceAction(widgets, "a", "s", "n", obj), fakes.CreateActionImpl{ActionImpl: impl("create", "n", "s"), Name: "a", Object: obj}},
		{"CreateSubresourceWithOptions", fakes.NewCreateSubresourceActionWithOptions(widgets, "a", "s", "n", obj, create), fakes.CreateActionImpl{ActionImpl: impl("create", "n", "s"), Name: "a", Object: obj, CreateOptions: create}},

		{"RootUpdate", fakes.NewRootUpdateAction(widgets, obj), fakes.UpdateActionImpl{ActionImpl: impl("update", "", ""), Object: obj}},
		{"RootUpdateWithOptions", fakes.NewRootUpdateActionWithOptions(widgets, obj, update), fakes.UpdateActionImpl{ActionImpl: impl("update", "", ""), Object: obj, UpdateOptions: update}},
		{"Update", fakes.NewUpdateAction(widgets, "n", obj), fakes.UpdateActionImpl{ActionImpl: impl("update", "n", ""), Object: obj}},
		{"UpdateWithOptions", fakes.NewUpdateActionWithOptions(widgets, "n", obj, update), fakes.UpdateActionImpl{ActionImpl: impl("update", "n", ""), Object: obj, UpdateOptions: update}},
		{"RootUpdateSubresource", fakes.NewRootUpdateSubresourceAction(widgets, "s", obj), fakes.UpdateActionImpl{ActionImpl: impl("update", "", "s"), Object: obj}},
		{"RootUpdateSubresourceWithOptions", fakes.NewRootUpdateSubresourceActionWithOptions(widgets, "s", obj, update), fakes.UpdateActionImpl{ActionImpl: impl("update", "", "s"), Object: obj, UpdateOptions: update}},
		{"UpdateSubresource", fakes.NewUpdateSubresourceAction(widgets, "s", "n", obj), fakes.UpdateActionImpl{ActionImpl: impl("update", "n", "s"), Object: obj}},
		{"UpdateSubresourceWithOptions", fakes.NewUpdateSubresourceActionWithOptions(widgets, "s", "n", obj, update), fakes.UpdateActionImpl{ActionImpl: impl("update", "n", "s"), Object: obj, UpdateOptions: update}},

		{"RootPatch", fakes.NewRootPatchAction(widgets, "a", merge, patch), fakes.PatchActionImpl{ActionImpl: impl("patch", "", ""), Name: "a", PatchType: merge, Patch: patch}},
		{"RootPatchWithOptions", fakes.NewRootPatchActionWithOptions(widgets, "a", merge, patch, patchOpts), fakes.PatchActionImpl{ActionImpl: impl("patch", "", ""), Name: "a", PatchType: merge, Patch: patch, PatchOptions: patchOpts}},
		{"Patch", fakes.NewPatchAction(widgets, "n", "a", merge, patch), fakes.PatchActionImpl{ActionImpl: impl("patch", "n", ""), Name: "a", PatchType: merge, Patch: patch}},
		{"PatchWithOptions", fakes.NewPatchActionWithOptions(widgets, "n", "a", merge, patch, patchOpts), fakes.PatchActionImpl{ActionImpl: impl("patch", "n", ""), Name: "a", PatchType: merge, Patch: patch, PatchOptions: patchOpts}},
		{"RootPatchSubresource", fakes.NewRootPatchSubresourceAction(widgets, "a", merge, patch, "s", "t"), fakes.PatchActionImpl{ActionImpl: impl("patch", "", "s/t"), Name: "a", PatchType: merge, Patch: patch}},
		{"RootPatchSubresourceWithOptions", fakes.NewRootPatchSubresourceActionWithOptions(widgets, "a", merge, patch, patchOpts, "s"), fakes.PatchActionImpl{ActionImpl: impl("patch", "", "s"), Name: "a", PatchType: merge, Patch: patch, PatchOptions: patchOpts}},
		{"PatchSubresource", fakes.NewPatchSubresourceAction(widgets, "n", "a", merge, patch, "s"), fakes.PatchActionImpl{ActionImpl: impl("patch", "n", "s"), Name: "a", PatchType: merge, Patch: patch}},
		{"PatchSubresourceWithOptions", fakes.NewPatchSubresourceActionWithOptions(widgets, "n", "a", merge, patch, patchOpts), fakes.PatchActionImpl{ActionImpl: impl("patch", "n", ""), Name: "a", PatchType: merge, Patch: patch, PatchOptions: patchOpts}},

		{"RootDelete", fakes.NewRootDeleteAction(widgets, "a"), fakes.DeleteActionImpl{ActionImpl: impl("delete", "", ""), Name: "a"}},
		{"RootDeleteWithOptions", fakes.NewRootDeleteActionWithOptions(widgets, "a", del), fakes.DeleteActionImpl{ActionImpl: impl("delete", "", ""), Name: "a", DeleteOptions: del}},
		{"RootDeleteSubresource", fakes.NewRootDeleteSubresourceAction(widgets, "s", "a"), fakes.DeleteActionImpl{ActionImpl: impl("delete", "", "s"), Name: "a"}},
		{"RootDeleteSubresourceWithOptions", fakes.NewRootDeleteSubresourceActionWithOptions(widgets, "s", "a", del), fakes.DeleteActionImpl{ActionImpl: impl("delete", "", "s"), Name: "a", DeleteOptions: del}},
		{"Delete", fakes.NewDeleteAction(widgets, "n", "a"), fakes.DeleteActionImpl{ActionImpl: impl("delete", "n", ""), Name: "a"}},
		{"DeleteWithOptions", fakes.NewDeleteActionWithOptions(widgets, "n", "a", del), fakes.DeleteActionImpl{ActionImpl: impl("delete", "n", ""), Name: "a", DeleteOptions: del}},
		{"DeleteSubresource", fakes.NewDeleteSubresourceAction(widgets, "s", "n", "a"), fakes.DeleteActionImpl{ActionImpl: impl("delete", "n", "s"), Name: "a"}},
		{"DeleteSubresourceWithOptions", fakes.NewDeleteSubresourceActionWithOptions(widgets, "s", "n", "a", del), fakes.DeleteActionImpl{ActionImpl: impl("delete", "n", "s"), Name: "a", DeleteOptions: del}},

		{"RootDeleteCollection", fakes.NewRootDeleteCollectionAction(widgets, list), fakes.DeleteCollectionActionImpl{ActionImpl: impl("delete-collection", "", ""), ListRestrictions: selected, ListOptions: list}},
		{"RootDeleteCollectionWithOptions", fakes.NewRootDeleteCollectionActionWithOptions(widgets, del, list), fakes.DeleteCollectionActionImpl{ActionImpl: impl("delete-collection", "", ""), ListRestrictions: selected, DeleteOptions: del, ListOptions: list}},
		{"DeleteCollection", fakes.NewDeleteCollectionAction(widgets, "n", list), fakes.DeleteCollectionActionImpl{ActionImpl: impl("delete-collection", "n", ""), ListRestrictions: selected, ListOptions: list}},
		{"DeleteCollectionWithOptions", fakes.NewDeleteCollectionActionWithOptions(widgets, "n", del, list), fakes.DeleteCollectionActionImpl{ActionImpl: impl("delete-collection", "n", ""), ListRestrictions: selected, DeleteOptions: del, ListOptions: list}},

		{"RootWatch", fakes.NewRootWatchAction(widgets, list), fakes.WatchActionImpl{ActionImpl: impl("watch", "", ""), WatchRestrictions: watching, ListOptions: list}},
		{"RootWatchWithOptions", fakes.NewRootWatchActionWithOptions(widgets, list), fakes.WatchActionImpl{ActionImpl: impl("watch", "", ""), WatchRestrictions: watching, ListOptions: list}},
		{"Watch", fakes.NewWatchAction(widgets, "n", list), fakes.WatchActionImpl{ActionImpl: impl("watch", "n", ""), WatchRestrictions: watching, ListOptions: list}},
		{"WatchWithOptions", fakes.NewWatchActionWithOptions(widgets, "n", list), fakes.WatchActionImpl{ActionImpl: impl("watch", "n", ""), WatchRestrictions: watching, ListOptions: list}},
		{"Watch of anything", fakes.NewWatchAction(widgets, "n", nil), fakes.WatchActionImpl{ActionImpl: impl("watch", "n", ""), WatchRestrictions: fakes.WatchRestrictions{Labels: labels.Everything(), Fields: fields.Everything()}}},

		{"ProxyGet", fakes.NewProxyGetAction(widgets, "n", "https", "a", "8080", "p", params), fakes.ProxyGetActionImpl{ActionImpl: impl("get", "n", ""), Scheme: "https", Name: "a", Port: "8080", Path: "p", Params: params}},
		{"Generic", fakes.GenericActionImpl{ActionImpl: impl("do", "n", ""), Value: 3}, fakes.GenericActionImpl{ActionImpl: impl("do", "n", ""), Value: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Selectors have no exported fields; their text is compared.
			text := cmp.Options{
				cmp.Transformer("labels", func(s labels.Selector) string { return s.String() }),
				cmp.Transformer("fields", func(s fields.Selector) string { return s.String() }),
			}
			if diff := cmp.Diff(c.want, c.got, text); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.want, c.got.DeepCopy(), text); diff != "" {
				t.Errorf("copy (-want +got)\n%s", diff)
			}
		})
	}
}

func TestSelectorsThatCannotBeParsed(t *testing.T) {
	bad := metav1.ListOptions{LabelSelector: "a=b=c", FieldSelector: "a"}
	action := fakes.NewListAction(widgets, widgetKind, "n", bad)
	if diff := cmp.Diff(bad, action.ListOptions); diff != "" {
		t.Errorf("the tracker does not receive: %s", diff)
	}
	if action.ListRestrictions.Fields.Matches(fields.Set{}) {
		t.Error("the field selector selects something")
	}
	if action.ListRestrictions.Labels.Matches(labels.Set{}) {
		t.Error("the label selector selects something")
	}
	if _, _, err := fakes.ObjectReaction(newTracker(t, widget("a")))(action); err == nil {
		t.Error("got no error")
	}
}

func TestCopiesShareNothing(t *testing.T) {
	obj := widget("a", label("k", "v"))
	create := fakes.NewCreateAction(widgets, "ns", obj)
	update := fakes.NewUpdateAction(widgets, "ns", obj)
	patch := fakes.NewPatchAction(widgets, "ns", "a", types.MergePatchType, []byte("{}"))
	proxy := fakes.NewProxyGetAction(widgets, "ns", "", "a", "", "", map[string]string{"k": "v"})
	list := fakes.NewListActionWithOptions(widgets, widgetKind, "ns", metav1.ListOptions{TimeoutSeconds: ptr.To(int64(1))})

	create.DeepCopy().(fakes.CreateAction).GetObject().(*Widget).Labels["k"] = "spoilt"
	update.DeepCopy().(fakes.UpdateAction).GetObject().(*Widget).Labels["k"] = "spoilt"
	patch.DeepCopy().(fakes.PatchAction).GetPatch()[0] = 'x'
	proxy.DeepCopy().(fakes.ProxyGetAction).GetParams()["k"] = "spoilt"
	*list.DeepCopy().(fakes.ListActionImpl).GetListOptions().TimeoutSeconds = 2

	if obj.Labels["k"] != "v" || string(patch.Patch) != "{}" || proxy.Params["k"] != "v" || *list.ListOptions.TimeoutSeconds != 1 {
		t.Error("a copy shares data")
	}
	for _, action := range []fakes.Action{fakes.ListActionImpl{}, fakes.WatchActionImpl{}, fakes.CreateActionImpl{}, fakes.UpdateActionImpl{}, fakes.DeleteCollectionActionImpl{}} {
		if diff := cmp.Diff(action, action.DeepCopy()); diff != "" {
			t.Errorf("%T: %s", action, diff)
		}
	}
	if got := (fakes.PatchActionImpl{}).DeepCopy().(fakes.PatchActionImpl).Patch; got == nil {
		t.Error("the copy of a nil patch is nil")
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		subresource, verb, resource string
		want                        bool
	}{
		{"", "get", "widgets", true},
		{"", "GET", "Widgets", true},
		{"", "list", "widgets", false},
		{"", "get", "gadgets", false},
		{"", "get", "widgets/status", false},
		{"status", "get", "widgets", true},
		{"status", "get", "widgets/Status", true},
		{"status", "get", "widgets/scale", false},
		{"status", "get", "*", false},
		{"a/b", "get", "widgets/a/b", true},
	} {
		if got := impl("get", "", c.subresource).Matches(c.verb, c.resource); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}
