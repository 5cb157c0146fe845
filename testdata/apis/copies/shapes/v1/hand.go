package v1

import "slices"

// ByPointer has a DeepCopy with a pointer receiver.
type ByPointer struct {
	Names []string `json:"names"`
}

// DeepCopy is written by hand.
func (in *ByPointer) DeepCopy() *ByPointer {
	if in == nil {
		return nil
	}
	return &ByPointer{Names: slices.Clone(in.Names)}
}

// ByValue has a DeepCopy without a pointer receiver.
type ByValue []string

// DeepCopy is written by hand.
func (in ByValue) DeepCopy() ByValue { return slices.Clone(in) }

// ByInto has a DeepCopyInto.
type ByInto struct {
	Names []string `json:"names"`
}

// DeepCopyInto is written by hand.
func (in *ByInto) DeepCopyInto(out *ByInto) { out.Names = slices.Clone(in.Names) }

// ByBoth has both.
type ByBoth struct {
	Names []string `json:"names"`
}

// DeepCopy is written by hand.
func (in *ByBoth) DeepCopy() *ByBoth {
	if in == nil {
		return nil
	}
	out := &ByBoth{}
	in.DeepCopyInto(out)
	return out
}

// DeepCopyInto is written by hand.
func (in *ByBoth) DeepCopyInto(out *ByBoth) { out.Names = slices.Clone(in.Names) }

// Text is not copied by functions, unless they are written by hand.
type Text string

// DeepCopy is written by hand.
func (in Text) DeepCopy() Text { return in }
