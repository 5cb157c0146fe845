package watchlist_test

import (
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/client-go/features"
	featurestesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/util/watchlist"
)

func TestPrepareWatchListOptionsFromListOptions(t *testing.T) {
	yes := true
	initial := metav1.ListOptions{
		Watch: true, AllowWatchBookmarks: true, SendInitialEvents: &yes, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	}
	with := func(change func(*metav1.ListOptions)) metav1.ListOptions {
		options := initial
		change(&options)
		return options
	}
	for _, tt := range []struct {
		name    string
		off     bool
		options metav1.ListOptions
		want    metav1.ListOptions
		no      bool
	}{
		{name: "empty", want: initial},
		{name: "feature off", off: true, no: true},
		{
			name:    "any version from the cache",
			options: metav1.ListOptions{ResourceVersion: "0", Limit: 500},
			want:    with(func(o *metav1.ListOptions) { o.ResourceVersion = "0" }),
		},
		{
			name:    "not older than",
			options: metav1.ListOptions{ResourceVersion: "7", ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan},
			want:    with(func(o *metav1.ListOptions) { o.ResourceVersion = "7" }),
		},
		{
			name:    "selectors",
			options: metav1.ListOptions{LabelSelector: "a=b", FieldSelector: "c=d"},
			want:    with(func(o *metav1.ListOptions) { o.LabelSelector, o.FieldSelector = "a=b", "c=d" }),
		},
		{name: "page", options: metav1.ListOptions{Limit: 5}, no: true},
		{name: "page of a version", options: metav1.ListOptions{Limit: 5, ResourceVersion: "7"}, no: true},
		{name: "exact", options: metav1.ListOptions{ResourceVersion: "7", ResourceVersionMatch: metav1.ResourceVersionMatchExact}, no: true},
		{name: "continued", options: metav1.ListOptions{Continue: "token"}, no: true},
		{name: "invalid", options: metav1.ListOptions{ResourceVersionMatch: "Near"}, no: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			featurestesting.SetFeatureDuringTest(t, features.WatchListClient, !tt.off)
			before := tt.options
			got, ok, err := watchlist.PrepareWatchListOptionsFromListOptions(tt.options)
			if err != nil || ok == tt.no || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, %t, %v", got, ok, err)
			}
			if !reflect.DeepEqual(tt.options, before) {
				t.Errorf("modified to %+v", tt.options)
			}
		})
	}
}

type client bool

func (c client) IsWatchListSemanticsUnSupported() bool { return bool(c) }

func TestDoesClientNotSupportWatchListSemantics(t *testing.T) {
	for _, tt := range []struct {
		name   string
		client any
		want   bool
	}{
		{"says that it does not", client(true), true},
		{"says that it does", client(false), false},
		{"says nothing", struct{}{}, false},
		{"nil", nil, false},
	} {
		if got := watchlist.DoesClientNotSupportWatchListSemantics(tt.client); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
