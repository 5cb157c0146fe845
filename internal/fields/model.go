package fields

import (
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// accessors are the methods of metadata that read a field, with its name.
var accessors = map[string]string{
	"GetName": "name", "GetGenerateName": "generateName", "GetNamespace": "namespace", "GetSelfLink": "selfLink", "GetUID": "uid",
	"GetResourceVersion": "resourceVersion", "GetGeneration": "generation", "GetCreationTimestamp": "creationTimestamp",
	"GetDeletionTimestamp": "deletionTimestamp", "GetDeletionGracePeriodSeconds": "deletionGracePeriodSeconds", "GetLabels": "labels",
	"GetAnnotations": "annotations", "GetFinalizers": "finalizers", "GetOwnerReferences": "ownerReferences", "GetManagedFields": "managedFields",
}

// always are the fields of metadata that cache.Keep keeps without being asked.
var always = []string{
	"name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
	"labels", "annotations", "finalizers", "ownerReferences",
}

// harmless are functions of libraries that read nothing of an object but what is always kept, by package and name.
var harmless = map[string]bool{
	"klog.KObj": true, "klog.KObjs": true, "klog.KObjSlice": true,
	"cache.MetaNamespaceKeyFunc": true, "cache.DeletionHandlingMetaNamespaceKeyFunc": true, "cache.DeletionHandlingObjectToName": true,
	"cache.ObjectToName": true, "cache.MetaObjectToName": true, "cache.MetaNamespaceIndexFunc": true,
	"client.ObjectKeyFromObject": true, "client.IgnoreNotFound": true,
	"controllerutil.SetControllerReference": true, "controllerutil.SetOwnerReference": true, "controllerutil.HasOwnerReference": true,
	"controllerutil.RemoveOwnerReference": true, "controllerutil.HasControllerReference": true, "controllerutil.RemoveControllerReference": true,
	"controllerutil.AddFinalizer": true, "controllerutil.RemoveFinalizer": true, "controllerutil.ContainsFinalizer": true,
	"apiutil.GVKForObject": true, "Scheme.ObjectKinds": true, "reference.GetReference": true, "ref.GetReference": true,
	"sort.Slice": true, "sort.SliceStable": true, "runtime.KeepAlive": true,
}

// writes are methods by which an object is sent to the server.
var writes = map[string]bool{
	"Create": true, "Update": true, "UpdateStatus": true, "Patch": true, "Apply": true, "ApplyStatus": true, "UpdateScale": true,
	"UpdateEphemeralContainers": true, "UpdateResize": true, "UpdateApproval": true,
}

// describe applies what is known of a function, instead of its body. It reports whether anything is known.
func (f *flow) describe(call ssa.CallInstruction, to callee, n int, l *label) bool {
	fn := to.external
	if to.fn != nil {
		if o := to.fn.Origin(); o != nil {
			fn, _ = o.Object().(*types.Func)
		} else {
			fn, _ = to.fn.Object().(*types.Func)
		}
	}
	if fn == nil {
		return false
	}
	name := fn.Name()
	if fn.Signature().Recv() != nil && n == 0 && l.root != nil {
		return f.method(call, fn, l)
	}
	if to.fn != nil || fn.Pkg() == nil {
		return false
	}
	if l.root == nil && l.holder == nil {
		return true // a function or an informer that a library gets
	}
	pkg, base := fn.Pkg().Path(), path.Base(fn.Pkg().Path())
	recv := receiver(fn)
	key := base + "." + name
	if recv != "" {
		key = recv + "." + name
	}
	switch {
	case harmless[key] || harmless[fn.Pkg().Name()+"."+name]:
		return true
	case strings.HasPrefix(recv, "EventRecorder") && n == 1, recv == "EventRecorder" && n == 2 && name == "Eventf":
		return true // name, namespace, UID and version
	case pkg == metaPath+"/unstructured" && strings.HasPrefix(name, "Nested") && n == 0:
		f.nested(call, name, l)
		return true
	case stores(fn), pkg == metaPath+"/unstructured" && recv == "":
		// What a store hands out is labeled; other functions of the package write.
		return true
	case name == "DeepCopyInto" && n == 1:
		for of := range f.labels[argument(call.Common(), 0)] {
			f.alias(l, of)
		}
		return true
	case pkg == "k8s.io/apimachinery/pkg/api/meta" && (name == "Accessor" || name == "ExtractList"):
		f.add(call.Value(), l)
		return true
	case isClient(fn) && (name == "Get" || name == "List"):
		if n >= 2 {
			f.fill(call, l)
		}
		return true
	case isClient(fn) && (name == "Delete" || name == "DeleteAllOf"), base == "client" && name == "InNamespace":
		return true
	case base == "controllerutil" && (name == "CreateOrUpdate" || name == "CreateOrPatch"):
		f.fill(call, l)
		f.consume(l, call, "sent by "+name)
		return true
	case base == "client" && strings.Contains(name, "MergeFrom"):
		f.consume(l, call, "compared for a Patch by "+name)
		return true
	case writes[name] && recv != "":
		f.consume(l, call, "sent by "+name)
		return true
	case watching(fn):
		return true // an empty object that names a kind
	case strings.HasPrefix(name, "DeepEqual") || strings.HasPrefix(name, "DeepDerivative"):
		f.consume(l, call, "compared by "+shortName(fn))
		return true
	}
	return false
}

// method applies what is known of a method that is called on an object or a part of it.
func (f *flow) method(call ssa.CallInstruction, fn *types.Func, l *label) bool {
	name := fn.Name()
	if l.typ != nil && isUntyped(l.typ) && f.untypedMethod(call, name, l) {
		return true
	}
	field, ok := accessors[name]
	switch {
	case ok && fn.Signature().Params().Len() == 0 && isMetadata(fn, l):
		read := "metadata." + field
		if n := named(l.typ); n != nil && n.Obj().Name() == "ObjectMeta" {
			read = field
		}
		f.note(event{label: l, path: read}, call)
		return true
	case strings.HasPrefix(name, "Set") && accessors["G"+name[1:]] != "" && isMetadata(fn, l):
		return true
	case name == "DeepCopy", name == "DeepCopyObject":
		f.add(call.Value(), l)
		return true
	case name == "DeepCopyInto":
		for dest := range f.labels[argument(call.Common(), 1)] {
			f.alias(dest, l)
		}
		return true
	case name == "GetObjectMeta":
		if l.typ != nil && isKind(l.typ) {
			if meta := f.metadata(l); meta != nil {
				f.add(call.Value(), meta)
				return true
			}
		}
		f.add(call.Value(), l)
		return true
	case name == "GetObjectKind", name == "GroupVersionKind", name == "SetGroupVersionKind":
		return true
	}
	return false
}

// isMetadata reports whether a method is one of metadata, rather than one of the same name in an API package.
func isMetadata(fn *types.Func, l *label) bool {
	if fn.Pkg() != nil && fn.Pkg().Path() == metaPath {
		return true
	}
	return l.typ == nil || isKind(l.typ) && machinery(fn.Pkg().Path())
}

// metadata returns the label of the metadata of an object.
func (f *flow) metadata(l *label) *label {
	s, ok := l.typ.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range s.NumFields() {
		if s.Field(i).Name() == "ObjectMeta" && s.Field(i).Embedded() {
			name, _ := f.jsonName(l.typ, i)
			return l.child(name, s.Field(i).Type())
		}
	}
	return nil
}

// receiver returns the name of the type whose method a function is; empty for other functions.
func receiver(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	if n, ok := pointee(recv.Type()).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// isClient reports whether a function is a method of controller-runtime's clients and readers, which has an object as argument.
func isClient(fn *types.Func) bool {
	params := fn.Signature().Params()
	if receiver(fn) == "" || params.Len() < 2 {
		return false
	}
	for p := range params.Variables() {
		if n, ok := types.Unalias(p.Type()).(*types.Named); ok && n.Obj().Pkg() != nil && strings.HasSuffix(n.Obj().Pkg().Path(), "controller-runtime/pkg/client") &&
			(n.Obj().Name() == "Object" || n.Obj().Name() == "ObjectList") {
			return true
		}
	}
	return false
}

// watching reports whether a function only names a kind by an object, as those of controller-runtime's builder.
func watching(fn *types.Func) bool {
	switch fn.Name() {
	case "For", "Owns", "Watches", "WatchesMetadata", "Kind", "GetInformer", "RemoveInformer", "IndexField", "EnqueueRequestForOwner", "NewControllerManagedBy",
		"WithStatusSubresource", "NewSharedInformer", "NewSharedIndexInformer", "NewSharedIndexInformerWithOptions", "NewInformer", "NewIndexerInformer",
		"NewTransformingInformer", "NewTransformingIndexerInformer", "NewInformerWithOptions", "InformerFor", "NewReflector", "NewNamedReflector", "NewReflectorWithOptions", "AddKnownTypes", "AddKnownTypeWithName":
		return machinery(fn.Pkg().Path())
	}
	return false
}

// stores reports whether a function puts an object into a store or queue of an informer, looks for it there, or passes it to a
// handler, whose functions get it anyway.
func stores(fn *types.Func) bool {
	switch fn.Name() {
	case "Add", "Update", "Delete", "AddIfNotPresent", "KeyOf", "Replace", "Exists", "Get", "AddObject", "OnAdd", "OnUpdate", "OnDelete":
		return strings.HasSuffix(fn.Pkg().Path(), "/cache") && hasCaches(fn.Pkg().Path())
	}
	return false
}

// fill records that a client of controller-runtime writes an object of its cache into the memory.
func (f *flow) fill(call ssa.CallInstruction, l *label) {
	if l.root == nil || l.root.cached {
		return
	}
	l.root.cached, l.root.place = true, at(call)
}
