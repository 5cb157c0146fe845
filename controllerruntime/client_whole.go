package controllerruntime

import (
	"bytes"
	"context"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/runtime/codec"
)

// wholeClient refuses to write objects of which the cache keeps only some fields.
type wholeClient struct{ client.Client }

// Get implements [client.Reader]. An object that was cut, and is read into again, has no mark unless what is read has.
func (c wholeClient) Get(ctx context.Context, name client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	if !codec.IsCut(obj) {
		return c.Client.Get(ctx, name, obj, opts...)
	}
	mark := obj.GetSelfLink()
	codec.RemoveMark(obj)
	err := c.Client.Get(ctx, name, obj, opts...)
	if err != nil {
		obj.SetSelfLink(mark)
	}
	return err
}

func (c wholeClient) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	if err := codec.CheckWhole(obj); err != nil {
		return err
	}
	return c.Client.Create(ctx, obj, opts...)
}

func (c wholeClient) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	if err := codec.CheckWhole(obj); err != nil {
		return err
	}
	return c.Client.Update(ctx, obj, opts...)
}

func (c wholeClient) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	if err := checkPatch(obj, patch); err != nil {
		return err
	}
	err := c.Client.Patch(ctx, obj, patch, opts...)
	if err == nil {
		codec.RemoveMark(obj) // the response is in it
	}
	return err
}

func (c wholeClient) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...client.ApplyOption) error {
	if err := codec.CheckWhole(obj); err != nil { // it may be an untyped object
		return err
	}
	return c.Client.Apply(ctx, obj, opts...)
}

// checkPatch returns an error if the patch is wrong because it was computed from an object that was cut.
func checkPatch(obj client.Object, patch client.Patch) error {
	if !codec.IsCut(obj) {
		return nil
	}
	data, err := patch.Data(obj)
	if err != nil {
		return err
	}
	err = codec.CheckPatch(obj, patch.Type(), data)
	if err == nil {
		return nil
	}
	// One that is the same for any object was not computed from it.
	other := reflect.New(reflect.TypeOf(obj).Elem()).Interface().(client.Object)
	if same, otherErr := patch.Data(other); otherErr == nil && bytes.Equal(same, data) {
		return nil
	}
	return err
}

// Status implements [client.StatusClient].
func (c wholeClient) Status() client.SubResourceWriter { return c.SubResource("status") }

// SubResource implements [client.SubResourceClientConstructor].
func (c wholeClient) SubResource(name string) client.SubResourceClient {
	return wholeSubresource{c.Client.SubResource(name)}
}

// wholeSubresource is a [wholeClient] of a subresource. Of an object whose subresource has a body, only the name matters.
type wholeSubresource struct{ client.SubResourceClient }

func (s wholeSubresource) Update(ctx context.Context, obj client.Object, opts ...client.SubResourceUpdateOption) error {
	body := obj
	if options := (&client.SubResourceUpdateOptions{}).ApplyOptions(opts); options.SubResourceBody != nil {
		body = options.SubResourceBody
	}
	if err := codec.CheckWhole(body); err != nil {
		return err
	}
	return s.SubResourceClient.Update(ctx, obj, opts...)
}

func (s wholeSubresource) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	body := obj
	if options := (&client.SubResourcePatchOptions{}).ApplyOptions(opts); options.SubResourceBody != nil {
		body = options.SubResourceBody
	}
	if err := checkPatch(body, patch); err != nil {
		return err
	}
	err := s.SubResourceClient.Patch(ctx, obj, patch, opts...)
	if err == nil {
		codec.RemoveMark(body) // the response is in it
	}
	return err
}

func (s wholeSubresource) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...client.SubResourceApplyOption) error {
	if err := codec.CheckWhole(obj); err != nil { // it may be an untyped object
		return err
	}
	return s.SubResourceClient.Apply(ctx, obj, opts...)
}
