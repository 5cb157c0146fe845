// Package cache has the part of client-go that the cases use.
package cache

type TransformFunc func(any) (any, error)

type ResourceEventHandler interface {
	OnAdd(obj any, isInInitialList bool)
	OnUpdate(oldObj, newObj any)
	OnDelete(obj any)
}

type ResourceEventHandlerFuncs struct {
	AddFunc    func(obj any)
	UpdateFunc func(oldObj, newObj any)
	DeleteFunc func(obj any)
}

func (r ResourceEventHandlerFuncs) OnAdd(obj any, isInInitialList bool) { r.AddFunc(obj) }
func (r ResourceEventHandlerFuncs) OnUpdate(oldObj, newObj any)         { r.UpdateFunc(oldObj, newObj) }
func (r ResourceEventHandlerFuncs) OnDelete(obj any)                    { r.DeleteFunc(obj) }

type FilteringResourceEventHandler struct {
	FilterFunc func(obj any) bool
	Handler    ResourceEventHandler
}

func (r FilteringResourceEventHandler) OnAdd(obj any, isInInitialList bool) {
	r.Handler.OnAdd(obj, isInInitialList)
}
func (r FilteringResourceEventHandler) OnUpdate(oldObj, newObj any) {
	r.Handler.OnUpdate(oldObj, newObj)
}
func (r FilteringResourceEventHandler) OnDelete(obj any) { r.Handler.OnDelete(obj) }

type DeletedFinalStateUnknown struct {
	Key string
	Obj any
}

type Store interface {
	Add(obj any) error
	List() []any
	GetByKey(key string) (item any, exists bool, err error)
}

type IndexFunc func(obj any) ([]string, error)
type Indexers map[string]IndexFunc

type Indexer interface {
	Store
	ByIndex(name, value string) ([]any, error)
	AddIndexers(Indexers) error
}

type SharedIndexInformer interface {
	AddEventHandler(handler ResourceEventHandler) error
	SetTransform(f TransformFunc) error
	GetStore() Store
	GetIndexer() Indexer
	AddIndexers(Indexers) error
}

func NewSharedIndexInformer(lw any, exampleObject any) SharedIndexInformer { return nil }

func MetaNamespaceKeyFunc(obj any) (string, error) { return "", nil }

func NewReflector(lw any, expectedType any, store Store) {}
