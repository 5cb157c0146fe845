package generators

import "github.com/listwatch/listwatch/generators/model"

// viewsData is what the template of the file of views prints.
type viewsData struct {
	Views []viewData
}

// viewData is a view as the template sees it.
type viewData struct {
	Name    string
	OwnList bool
	// Accessors are the methods about metadata; none if the view embeds ObjectMeta.
	Accessors []accessor
}

// accessor is a getter and a setter of metadata.
type accessor struct {
	// Method is their name without Get and Set.
	Method string
	Type   *model.Type
	// Field is the path of the field in Go; empty if the view lacks it.
	Field string
}

func newViewsData(views []*model.Kind) *viewsData {
	data := &viewsData{}
	for _, k := range views {
		d := viewData{Name: k.Name, OwnList: k.View.OwnList}
		if k.View.Metadata != nil {
			for _, a := range metadata {
				d.Accessors = append(d.Accessors, accessor{a.method, a.typ, k.View.Metadata[a.name]})
			}
		}
		data.Views = append(data.Views, d)
	}
	return data
}

// metadata are the accessors of metav1.Object, with the JSON names of the fields.
var metadata = []struct {
	name, method string
	typ          *model.Type
}{
	{"name", "Name", plain("string")},
	{"generateName", "GenerateName", plain("string")},
	{"namespace", "Namespace", plain("string")},
	{"selfLink", "SelfLink", plain("string")},
	{"uid", "UID", inPackage("k8s.io/apimachinery/pkg/types", "types", "UID")},
	{"resourceVersion", "ResourceVersion", plain("string")},
	{"generation", "Generation", plain("int64")},
	{"creationTimestamp", "CreationTimestamp", inMeta("Time")},
	{"deletionTimestamp", "DeletionTimestamp", &model.Type{Form: model.Pointer, Elem: inMeta("Time")}},
	{"deletionGracePeriodSeconds", "DeletionGracePeriodSeconds", &model.Type{Form: model.Pointer, Elem: plain("int64")}},
	{"labels", "Labels", &model.Type{Form: model.Map, Key: plain("string"), Elem: plain("string")}},
	{"annotations", "Annotations", &model.Type{Form: model.Map, Key: plain("string"), Elem: plain("string")}},
	{"finalizers", "Finalizers", &model.Type{Form: model.Slice, Elem: plain("string")}},
	{"ownerReferences", "OwnerReferences", &model.Type{Form: model.Slice, Elem: inMeta("OwnerReference")}},
	{"managedFields", "ManagedFields", &model.Type{Form: model.Slice, Elem: inMeta("ManagedFieldsEntry")}},
}

func plain(name string) *model.Type { return &model.Type{Ref: model.TypeRef{Name: name}} }

func inMeta(name string) *model.Type {
	return inPackage("k8s.io/apimachinery/pkg/apis/meta/v1", "metav1", name)
}

func inPackage(path, alias, name string) *model.Type {
	return &model.Type{Ref: model.TypeRef{Package: model.Package{Path: path, Alias: alias}, Name: name}}
}
