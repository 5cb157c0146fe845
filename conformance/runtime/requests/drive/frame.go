package drive

import (
	"bytes"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
)

// watches are responses to watches.
func (f forms) watches() []answer {
	object := fieldsOf(f.object)
	frame := func(kind watch.EventType, object any) string {
		return text(fields{"type": kind, "object": object}) + "\n"
	}
	added := frame(watch.Added, object)
	bookmark := fields{
		"kind": object["kind"], "apiVersion": object["apiVersion"],
		"metadata": fields{"resourceVersion": "50", "annotations": fields{metav1.InitialEventsAnnotationKey: "true"}},
	}
	gone := refusal(http.StatusGone, metav1.StatusReasonExpired)
	all := ok(
		"as it is", added+frame(watch.Modified, object)+frame(watch.Deleted, object),
		"a bookmark", frame(watch.Bookmark, bookmark)+added,
		"an error", added+frame(watch.Error, gone)+added,
		"an error without a type", frame(watch.Error, fields{"status": "Failure", "message": "no", "code": 410, "reason": "Expired"})+added,
		"an error that is an object", frame(watch.Error, object)+added,
		"a status that is not an error", frame(watch.Added, gone)+added,
		"no newlines", strings.ReplaceAll(added+added+added, "\n", ""),
		"spaces between", "\n \n"+added+"\n\r\n\t"+added+" ",
		"spaces within", strings.ReplaceAll(added, ",", ",\n  "),
		"nothing", "",
		"an empty frame", added+"{}\n"+added,
		"a frame without an object", added+`{"type":"ADDED"}`+"\n"+added,
		"a frame with an object that is null", added+`{"type":"ADDED","object":null}`+"\n"+added,
		"a frame without a type", added+`{"object":`+text(object)+`}`+"\n"+added,
		"a frame of an unknown type", added+frame("RENAMED", object)+added,
		"a frame of a type in small letters", added+frame("added", object)+added,
		"a frame with the object first", `{"object":`+text(object)+`,"type":"MODIFIED"}`+"\n"+added,
		"a frame with an unknown field", `{"nonsense":[{}],"type":"ADDED","object":`+text(object)+"}\n"+added,
		"a frame with fields in capitals", `{"TYPE":"ADDED","OBJECT":`+text(object)+"}\n"+added,
		"a frame with an object twice", `{"type":"ADDED","object":{"kind":"Nothing"},"object":`+text(object)+"}\n"+added,
		"a frame with a type that is a number", `{"type":1,"object":`+text(object)+"}\n"+added,
		"an object without a kind", added+frame(watch.Added, object.with("kind", nil))+added,
		"an object without a version", added+frame(watch.Added, object.with("apiVersion", nil))+added,
		"an object without a type", added+frame(watch.Added, object.with("kind", nil).with("apiVersion", nil))+added,
		"an object of an unknown kind", added+frame(watch.Added, object.with("kind", "Nothing"))+added,
		"an object with a broken field", added+frame(watch.Added, object.metadata("generation", "x"))+added,
		"an object with an unknown field", added+frame(watch.Added, object.with("nonsense", 1))+added,
		"a list", frame(watch.Added, fields{"kind": f.listKind, "apiVersion": object["apiVersion"], "items": []any{object}})+added,
		"words", added+"words\n"+added,
		"a number", added+"5\n"+added,
		"null", added+"null\n"+added,
		"an array", added+"[]\n"+added,
		"cut off in a frame", added+added[:len(added)/2],
		"cut off at the end of a frame", added+strings.TrimSuffix(added, "}\n"),
		"a status without a frame", text(gone),
		"an object without a frame", text(object),
	)
	for _, contentType := range []string{"", "application/json;stream=watch", "application/json; charset=utf-8", "text/plain", "application/yaml", "application/nonsense"} {
		all = append(all, answer{"as " + contentType, []reply{{status: http.StatusOK, header: []string{"Content-Type", contentType}, body: added}}})
	}
	all = append(all, answer{"with a warning", []reply{{status: http.StatusOK, header: []string{"Warning", `299 - "old"`}, body: added}}})
	return append(all, f.protobufFrames()...)
}

// protobufFrames are watches in protobuf; there are none for kinds without a protobuf form.
func (f forms) protobufFrames() []answer {
	body, ok := f.protobuf(f.object)
	if !ok {
		return nil
	}
	gone := refusal(http.StatusGone, metav1.StatusReasonExpired)
	status, _ := f.protobuf(&gone)
	added := f.protobufFrame(watch.Added, body)
	refused := f.protobufFrame(watch.Error, status)
	header := []string{"Content-Type", runtime.ContentTypeProtobuf + ";stream=watch"}
	return []answer{
		{"in protobuf", []reply{{status: http.StatusOK, header: header, body: added + refused + added}}},
		{"in protobuf, cut off", []reply{{status: http.StatusOK, header: header, body: added + added[:len(added)-9]}}},
		{"in protobuf that is not called a stream", []reply{{status: http.StatusOK, header: protobufType, body: added}}},
		{"in JSON that is called protobuf", []reply{{status: http.StatusOK, header: header, body: text(fields{"type": "ADDED", "object": f.object})}}},
	}
}

func (f forms) protobufFrame(kind watch.EventType, object string) string {
	info, _ := runtime.SerializerInfoForMediaType(serializer.NewCodecFactory(f.tree.Scheme).SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	event := &metav1.WatchEvent{Type: string(kind), Object: runtime.RawExtension{Raw: []byte(object)}}
	var out bytes.Buffer
	// Events have a protobuf form, and a buffer accepts everything.
	_ = info.StreamSerializer.Encode(event, info.StreamSerializer.NewFrameWriter(&out))
	return out.String()
}
