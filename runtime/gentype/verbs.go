package gentype

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Creator is the verb create.
type Creator[T any] interface {
	// Create stores a new object and returns it as stored. The error is AlreadyExists if
	// an object of that name exists.
	Create(ctx context.Context, obj T, opts metav1.CreateOptions) (T, error)
}

// Updater is the verb update.
type Updater[T any] interface {
	// Update replaces the object of the same name and returns it as stored. The error is
	// Conflict if the object has changed since obj was read. If the kind has the
	// subresource status, Update ignores changes of the status.
	Update(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error)
}

// StatusUpdater is the verb update of the subresource status. A kind has it if it has
// a field Status; the marker +genclient:noStatus removes it.
type StatusUpdater[T any] interface {
	// UpdateStatus replaces only the status of the object of the same name and returns
	// the object as stored.
	UpdateStatus(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error)
}

// Deleter is the verb delete.
type Deleter interface {
	// Delete deletes the object of a name. An object with finalizers stays until they
	// are removed.
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
}

// CollectionDeleter is the verb deletecollection.
type CollectionDeleter interface {
	// DeleteCollection deletes the objects that listOpts selects.
	DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error
}

// Getter is the verb get.
type Getter[T any] interface {
	// Get returns the object of a name. If there is none, the error is NotFound.
	Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error)
}

// Lister is the verb list.
type Lister[L any] interface {
	// List returns the objects that opts selects.
	List(ctx context.Context, opts metav1.ListOptions) (L, error)
}

// Watcher is the verb watch.
type Watcher interface {
	// Watch streams changes of the objects that opts selects until it is stopped, its
	// context ends or the server closes it. [Events] returns them typed.
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

// Patcher is the verb patch.
type Patcher[T any] interface {
	// Patch changes the object of a name, or one of its subresources, and returns it as
	// stored.
	Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (result T, err error)
}

// Applier is server-side apply.
type Applier[T, A any] interface {
	// Apply sends an apply configuration for the object that it names and returns the
	// object as stored.
	Apply(ctx context.Context, configuration A, opts metav1.ApplyOptions) (result T, err error)
}

// StatusApplier is server-side apply of the subresource status. A kind has it on the same
// condition as [StatusUpdater].
type StatusApplier[T, A any] interface {
	// ApplyStatus is Apply for the status of the object.
	ApplyStatus(ctx context.Context, configuration A, opts metav1.ApplyOptions) (result T, err error)
}

// Verbs are the verbs of a kind that has no status, without the markers
// +genclient:onlyVerbs, skipVerbs and noVerbs. It embeds none of the interfaces above, since
// the compiler makes wrappers for every interface that is embedded.
type Verbs[T, L any] interface {
	// Create stores a new object and returns it as stored. The error is AlreadyExists if
	// an object of that name exists.
	Create(ctx context.Context, obj T, opts metav1.CreateOptions) (T, error)
	// Update replaces the object of the same name and returns it as stored. The error is
	// Conflict if the object has changed since obj was read. If the kind has the
	// subresource status, Update ignores changes of the status.
	Update(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error)
	// Delete deletes the object of a name. An object with finalizers stays until they
	// are removed.
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
	// DeleteCollection deletes the objects that listOpts selects.
	DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error
	// Get returns the object of a name. If there is none, the error is NotFound.
	Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error)
	// List returns the objects that opts selects.
	List(ctx context.Context, opts metav1.ListOptions) (L, error)
	// Watch streams changes of the objects that opts selects until it is stopped, its
	// context ends or the server closes it. [Events] returns them typed.
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
	// Patch changes the object of a name, or one of its subresources, and returns it as
	// stored.
	Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (result T, err error)
}

// VerbsWithStatus are the [Verbs] of a kind that has a status.
type VerbsWithStatus[T, L any] interface {
	// Create stores a new object and returns it as stored. The error is AlreadyExists if
	// an object of that name exists.
	Create(ctx context.Context, obj T, opts metav1.CreateOptions) (T, error)
	// Update replaces the object of the same name and returns it as stored. The error is
	// Conflict if the object has changed since obj was read. If the kind has the
	// subresource status, Update ignores changes of the status.
	Update(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error)
	// UpdateStatus replaces only the status of the object of the same name and returns
	// the object as stored.
	UpdateStatus(ctx context.Context, obj T, opts metav1.UpdateOptions) (T, error)
	// Delete deletes the object of a name. An object with finalizers stays until they
	// are removed.
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
	// DeleteCollection deletes the objects that listOpts selects.
	DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error
	// Get returns the object of a name. If there is none, the error is NotFound.
	Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error)
	// List returns the objects that opts selects.
	List(ctx context.Context, opts metav1.ListOptions) (L, error)
	// Watch streams changes of the objects that opts selects until it is stopped, its
	// context ends or the server closes it. [Events] returns them typed.
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
	// Patch changes the object of a name, or one of its subresources, and returns it as
	// stored.
	Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (result T, err error)
}
