package codec

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/codec/internal/fields"
)

// ErrCut reports that an object was to be written of which a cache has kept only some fields: the others would be
// deleted. Requests of package rest, and so all clients, fake clients and those of package controllerruntime return it,
// with the name of the object, and send nothing.
var ErrCut = errors.New("object has only the fields that its cache keeps; send a patch or an apply configuration of what changes, or read the object from the server first")

// IsCut reports whether obj, or the object that it was copied from, was cut; see [Fields].
func IsCut(obj any) (cut bool) {
	m, ok := obj.(metav1.Object)
	if !ok {
		return false
	}
	defer func() {
		// Of a nil pointer, and of an object with a pointer to metadata that is nil, there is no selfLink.
		if recover() != nil {
			cut = false
		}
	}()
	return fields.IsMark(m.GetSelfLink())
}

// CheckWhole returns an [ErrCut] if obj is cut, and so must not be created, replace what the server has, or be
// applied.
func CheckWhole(obj any) error {
	if !IsCut(obj) {
		return nil
	}
	return fmt.Errorf("cannot write %s: %w", nameOf(obj), ErrCut)
}

func nameOf(obj any) string {
	m := obj.(metav1.Object)
	name := m.GetName()
	if namespace := m.GetNamespace(); namespace != "" {
		name = namespace + "/" + name
	}
	return fmt.Sprintf("%T %s", obj, name)
}

// CheckPatch returns an [ErrCut] if obj is cut and the patch, which was computed from it, is wrong for that reason: if it
// sets a list that obj does not have as a whole, or the mark, or if it is an apply patch. Patches of other fields are right:
// computed from an object and its copy, both of them cut, they have what differs. JSON patches are not checked.
func CheckPatch(obj any, pt types.PatchType, patch []byte) error {
	if !IsCut(obj) {
		return nil
	}
	switch pt {
	case types.MergePatchType, types.StrategicMergePatchType:
		if err := fields.CheckPatch(obj.(metav1.Object).GetSelfLink(), patch); err != nil {
			return fmt.Errorf("cannot patch %s: %w: %w", nameOf(obj), err, ErrCut)
		}
	case types.ApplyYAMLPatchType, types.ApplyCBORPatchType:
		return CheckWhole(obj)
	}
	return nil
}

// RemoveMark has an object that was cut count as whole, since a server's response was decoded into it.
func RemoveMark(obj any) {
	if IsCut(obj) {
		obj.(metav1.Object).SetSelfLink("")
	}
}
