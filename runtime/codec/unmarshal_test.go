package codec_test

import (
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/listwatch/listwatch/runtime/codec"
)

// TestUnmarshal compares with apimachinery's pkg/util/json.
func TestUnmarshal(t *testing.T) {
	for _, text := range append([]string{
		`{"kind":"APIGroupList","groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}]}]}`,
		`{"groups":[{"name":"a"}],"groups":[{"versions":[]}]}`, `{"Groups":[]}`, `{"groups":7}`, `{"groups":[]} x`, `[1,{"a":2.5}]`,
	}, texts(t)["whole"], "") {
		for _, into := range []func() any{
			func() any { return new(metav1.APIGroupList) },
			func() any { return &metav1.APIGroupList{Groups: []metav1.APIGroup{{Name: "x"}}} },
			func() any { return new(any) },
			func() any { return new(map[string]any) },
			func() any { return (*metav1.APIGroupList)(nil) },
			func() any { return metav1.APIGroupList{} },
		} {
			want, got := into(), into()
			wantErr := json.Unmarshal([]byte(text), want)
			err := codec.Unmarshal([]byte(text), got)
			if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
				t.Errorf("%s into %T: %+v, %v, want %+v, %v", text, got, got, err, want, wantErr)
			}
		}
	}
}
