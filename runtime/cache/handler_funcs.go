package cache

// ResourceEventHandlerFuncs is a [ResourceEventHandler] made of functions. Functions may be nil.
type ResourceEventHandlerFuncs struct {
	AddFunc    func(obj any)
	UpdateFunc func(oldObj, newObj any)
	DeleteFunc func(obj any)
}

// OnAdd calls AddFunc.
func (r ResourceEventHandlerFuncs) OnAdd(obj any, _ bool) {
	if r.AddFunc != nil {
		r.AddFunc(obj)
	}
}

// OnUpdate calls UpdateFunc.
func (r ResourceEventHandlerFuncs) OnUpdate(oldObj, newObj any) {
	if r.UpdateFunc != nil {
		r.UpdateFunc(oldObj, newObj)
	}
}

// OnDelete calls DeleteFunc.
func (r ResourceEventHandlerFuncs) OnDelete(obj any) {
	if r.DeleteFunc != nil {
		r.DeleteFunc(obj)
	}
}

func (r ResourceEventHandlerFuncs) callbacks() []any {
	return []any{r.AddFunc, r.UpdateFunc, r.DeleteFunc}
}

// ResourceEventHandlerDetailedFuncs is a [ResourceEventHandlerFuncs] whose AddFunc also receives
// whether the object is in the initial list.
type ResourceEventHandlerDetailedFuncs struct {
	AddFunc    func(obj any, isInInitialList bool)
	UpdateFunc func(oldObj, newObj any)
	DeleteFunc func(obj any)
}

// OnAdd calls AddFunc.
func (r ResourceEventHandlerDetailedFuncs) OnAdd(obj any, isInInitialList bool) {
	if r.AddFunc != nil {
		r.AddFunc(obj, isInInitialList)
	}
}

// OnUpdate calls UpdateFunc.
func (r ResourceEventHandlerDetailedFuncs) OnUpdate(oldObj, newObj any) {
	if r.UpdateFunc != nil {
		r.UpdateFunc(oldObj, newObj)
	}
}

// OnDelete calls DeleteFunc.
func (r ResourceEventHandlerDetailedFuncs) OnDelete(obj any) {
	if r.DeleteFunc != nil {
		r.DeleteFunc(obj)
	}
}

func (r ResourceEventHandlerDetailedFuncs) callbacks() []any {
	return []any{r.AddFunc, r.UpdateFunc, r.DeleteFunc}
}

// FilteringResourceEventHandler passes only events of objects that FilterFunc accepts to
// Handler: an update that makes an object accepted is an add, one that makes it rejected a
// deletion. FilterFunc must not modify the objects, and may get tombstones, as OnDelete does.
type FilteringResourceEventHandler struct {
	FilterFunc func(obj any) bool
	Handler    ResourceEventHandler
}

// OnAdd passes on the add of an accepted object.
func (r FilteringResourceEventHandler) OnAdd(obj any, isInInitialList bool) {
	if r.FilterFunc(obj) {
		r.Handler.OnAdd(obj, isInInitialList)
	}
}

// OnUpdate passes on an update, an add, a deletion or nothing, depending on which states are
// accepted.
func (r FilteringResourceEventHandler) OnUpdate(oldObj, newObj any) {
	switch passes, passed := r.FilterFunc(newObj), r.FilterFunc(oldObj); {
	case passes && passed:
		r.Handler.OnUpdate(oldObj, newObj)
	case passes:
		r.Handler.OnAdd(newObj, false)
	case passed:
		r.Handler.OnDelete(oldObj)
	}
}

// OnDelete passes on the deletion if the last state is accepted.
func (r FilteringResourceEventHandler) OnDelete(obj any) {
	if r.FilterFunc(obj) {
		r.Handler.OnDelete(obj)
	}
}

// OnReleased passes on the release of an accepted object to a [ReleaseHandler].
func (r FilteringResourceEventHandler) OnReleased(obj any) {
	if r.FilterFunc(obj) {
		released(r.Handler, obj)
	}
}

func (r FilteringResourceEventHandler) unwrap() any { return r.Handler }
