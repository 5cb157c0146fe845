package custom

import (
	"context"
	"fmt"
	"maps"
	"slices"

	apihelpers "k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/api/equality"
)

// definition is a stored CRD, as of its last write. It is read-only.
type definition struct {
	object    *apiextensions.CustomResourceDefinition
	versioned *v1.CustomResourceDefinition
}

func newDefinition(object *apiextensions.CustomResourceDefinition) (*definition, error) {
	d := &definition{object: object.DeepCopy(), versioned: &v1.CustomResourceDefinition{}}
	// The result may share memory with the source, which is never modified.
	if err := apiserver.Scheme.Convert(d.object, d.versioned, nil); err != nil {
		return nil, fmt.Errorf("convert definition %q: %w", object.Name, err)
	}
	return d, nil
}

// servable reports whether requests for the CRD's custom resources are served.
func (d *definition) servable() bool {
	return apihelpers.IsCRDConditionTrue(d.versioned, v1.NamesAccepted) ||
		apihelpers.IsCRDConditionTrue(d.versioned, v1.Established)
}

// serves reports whether the custom resources of both CRDs are served in the same way.
func (d *definition) serves(other *v1.CustomResourceDefinition) bool {
	return d.versioned.UID == other.UID &&
		equality.Semantic.DeepEqual(d.versioned.Spec, other.Spec) &&
		equality.Semantic.DeepEqual(d.versioned.Status.AcceptedNames, other.Status.AcceptedNames)
}

type reconcilingKey struct{}

// reconciling reports whether the context belongs to a registry that reconciles CRDs.
func reconciling(ctx context.Context) bool {
	return ctx.Value(reconcilingKey{}) != nil
}

// write runs a function that writes CRDs, and reconciles what it wrote.
func (r *Registry) write(ctx context.Context, write func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.current.Load()
	err := write()
	if failed := r.reconcile(context.WithValue(context.WithoutCancel(ctx), reconcilingKey{}, true)); err == nil {
		err = failed
	}
	if r.current.Load() != before {
		r.version.Add(1)
	}
	return err
}

// observe records a CRD as it was written.
func (r *Registry) observe(object *apiextensions.CustomResourceDefinition) error {
	if known := r.known[object.Name]; known != nil && known.object.ResourceVersion == object.ResourceVersion {
		return nil
	}
	definition, err := newDefinition(object)
	if err != nil {
		return err
	}
	r.known[object.Name] = definition
	r.enqueue(object.Name)
	return r.serve(object.Name, definition)
}

// forget records that a CRD was removed.
func (r *Registry) forget(name string) {
	delete(r.known, name)
	r.enqueue(name)
	r.withdraw(name)
}

// enqueue adds a CRD to those to reconcile.
func (r *Registry) enqueue(name string) {
	if !slices.Contains(r.waiting, name) {
		r.waiting = append(r.waiting, name)
	}
}

// Restore runs restore, which may replace what is stored in the backend, while no CRD is written, and then serves
// the stored CRDs.
func (r *Registry) Restore(ctx context.Context, restore func() error) error {
	return r.write(ctx, func() error {
		if err := restore(); err != nil {
			return err
		}
		list, err := r.definitions.List(ctx, nil)
		if err != nil {
			return err
		}
		stored := map[string]bool{}
		items := list.(*apiextensions.CustomResourceDefinitionList).Items
		for i := range items {
			stored[items[i].Name] = true
		}
		for _, name := range slices.Sorted(maps.Keys(r.known)) {
			if !stored[name] {
				r.forget(name)
			}
		}
		for i := range items {
			object := &items[i]
			if known := r.known[object.Name]; known != nil && !known.object.DeletionTimestamp.IsZero() && object.DeletionTimestamp.IsZero() {
				r.withdraw(object.Name) // custom resources can be created again
			}
			if err := r.observe(object); err != nil {
				return err
			}
		}
		return nil
	})
}

// Exclusive runs f while no CRD is written.
func (r *Registry) Exclusive(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}
