package cache

// ResourceEventHandlerFuncs is a [ResourceEventHandler] made of functions. A function
// may be nil: then nothing is called.
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

// ResourceEventHandlerDetailedFuncs is a [ResourceEventHandlerFuncs] whose AddFunc is
// told whether the object is in the initial list.
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

// FilteringResourceEventHandler tells Handler only of objects that FilterFunc lets
// through: an object that an update makes pass is an addition to Handler, one that
// passes no longer a deletion. FilterFunc must not change the objects, and must
// expect what OnDelete must expect.
type FilteringResourceEventHandler struct {
	FilterFunc func(obj any) bool
	Handler    ResourceEventHandler
}

// OnAdd tells of the object if it passes.
func (r FilteringResourceEventHandler) OnAdd(obj any, isInInitialList bool) {
	if r.FilterFunc(obj) {
		r.Handler.OnAdd(obj, isInInitialList)
	}
}

// OnUpdate tells of an update, an addition, a deletion or nothing, as the states pass.
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

// OnDelete tells of the deletion if the last state passes.
func (r FilteringResourceEventHandler) OnDelete(obj any) {
	if r.FilterFunc(obj) {
		r.Handler.OnDelete(obj)
	}
}

func (r FilteringResourceEventHandler) unwrap() any { return r.Handler }
