package codec

import (
	"io"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

type decoder struct {
	runtime.Decoder // apimachinery's, for what is not decoded here
	scheme          *runtime.Scheme
}

// DecodeFrom implements StreamDecoder.
func (d *decoder) DecodeFrom(r io.Reader, into runtime.Object) (runtime.Object, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	obj, _, err := d.Decode(data, nil, into)
	return obj, err
}

// DecodeList implements StreamDecoder.
func (d *decoder) DecodeList(r io.Reader, list runtime.Object, _ func() runtime.Object, each func(runtime.Object) error) (runtime.Object, error) {
	got, err := d.DecodeFrom(r, list)
	if err != nil || got != list {
		return got, err
	}
	items, err := meta.ExtractList(list)
	if err != nil {
		return nil, err
	}
	if err := meta.SetList(list, nil); err != nil {
		return nil, err
	}
	for _, item := range items {
		if err := each(item); err != nil {
			return nil, err
		}
	}
	return list, nil
}
