//go:build !fieldsv1string

package intern

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// SetFields sets the text of f, which apimachinery holds as bytes, to a copy of raw.
func SetFields(f *metav1.FieldsV1, raw []byte, in *memory.Arena) {
	f.Raw = in.Bytes(len(raw))
	copy(f.Raw, raw)
}
