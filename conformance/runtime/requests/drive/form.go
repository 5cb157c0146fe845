package drive

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/yaml"
)

// forms returns the responses with objects of one kind.
type forms struct {
	tree   Tree
	object runtime.Object
	list   runtime.Object
	// listKind is the kind of list, such as DeploymentList.
	listKind string
}

func (t Tree) formsOf(k kind) (forms, error) {
	object, err := t.newObject(k.object, k.namespace, "served", "42")
	if err != nil {
		return forms{}, err
	}
	list, _ := k.client.Type().MethodByName("List")
	listed, err := t.newObject(list.Type.Out(0), "", "", "")
	return forms{t, object, listed, listed.GetObjectKind().GroupVersionKind().Kind}, err
}

// fields are the fields of a JSON object. with returns modified ones.
type fields map[string]any

// fieldsOf returns the fields of v in JSON.
func fieldsOf(v any) fields {
	var f fields
	if err := json.Unmarshal([]byte(text(v)), &f); err != nil {
		panic(err) // all arguments have fields
	}
	return f
}

// with returns a copy in which a field is set, or removed if value is nil.
func (f fields) with(name string, value any) fields {
	f = maps.Clone(f)
	if f[name] = value; value == nil {
		delete(f, name)
	}
	return f
}

// metadata returns a copy with a field of the metadata set.
func (f fields) metadata(name string, value any) fields {
	metadata, _ := f["metadata"].(map[string]any)
	return f.with("metadata", map[string]any(fields(metadata).with(name, value)))
}

// ok returns successful responses with these bodies, by name; each name is followed by its body.
func ok(namesAndBodies ...any) []answer {
	var all []answer
	for i := 0; i < len(namesAndBodies); i += 2 {
		body, isText := namesAndBodies[i+1].(string)
		if !isText {
			body = text(namesAndBodies[i+1])
		}
		all = append(all, answer{namesAndBodies[i].(string), []reply{{status: http.StatusOK, body: body}}})
	}
	return all
}

// raw is unmodified JSON.
func raw(s string) json.RawMessage { return json.RawMessage(s) }

// objects are responses to requests for an object.
func (f forms) objects() []answer {
	object := fieldsOf(f.object)
	body := text(object)
	return ok(
		"as it is", object,
		"without a kind", object.with("kind", nil),
		"without a version", object.with("apiVersion", nil),
		"without a type", object.with("kind", nil).with("apiVersion", nil),
		"of an unknown kind", object.with("kind", "Nothing"),
		"of an unknown version", object.with("apiVersion", "no.such/v9"),
		"of an invalid version", object.with("apiVersion", "a/b/c"),
		"a list of it", fields{"kind": f.listKind, "apiVersion": object["apiVersion"], "items": []any{object}},
		"a list of anything", fields{"kind": "List", "apiVersion": "v1", "items": []any{object}},
		"a successful status", fields{"kind": "Status", "apiVersion": "v1", "status": "Success", "metadata": fields{}},
		"nothing", "",
		"spaces", " \n",
		"no fields", "{}",
		"null", "null",
		"an array", "[]",
		"a string", `"words"`,
		"words", "words, not JSON",
		"a page", "<html></html>",
		"cut off", body[:len(body)/2],
		"a brace more", body+"}",
		"twice", body+"\n"+body,
		"a newline behind", body+"\n",
		"spaces around", " \n"+strings.ReplaceAll(body, ",", ", \n\t")+" \n",
		"a mark before", "\uFEFF"+body,
		"an unknown field", object.with("nonsense", raw(`{"a":[1,null,{"b":1e400}]}`)),
		"a field in capitals", object.with("METADATA", fields{"name": "loud"}),
		"a field twice", strings.Replace(body, `"metadata":{`, `"metadata":{"name":"before"},"metadata":{`, 1),
		"a name twice", strings.Replace(body, `"metadata":{`, `"metadata":{"name":"before",`, 1),
		"metadata that are null", object.with("metadata", raw("null")),
		"metadata that are words", object.with("metadata", "words"),
		"a name that is a number", object.metadata("name", 5),
		"labels that are words", object.metadata("labels", "words"),
		"a label that is a number", object.metadata("labels", fields{"a": 1}),
		"labels that are null", object.metadata("labels", fields{"a": raw("null")}),
		"a time", object.metadata("creationTimestamp", "2026-01-02T03:04:05Z"),
		"a time elsewhere", object.metadata("creationTimestamp", "2026-01-02T03:04:05.678+02:00"),
		"an invalid time", object.metadata("creationTimestamp", "yesterday"),
		"a time that is empty", object.metadata("creationTimestamp", ""),
		"a large generation", object.metadata("generation", raw("9223372036854775807")),
		"too large a generation", object.metadata("generation", raw("9223372036854775808")),
		"a generation as a float", object.metadata("generation", raw("1.0")),
		"a broken generation", object.metadata("generation", raw("1.5")),
		"a generation with an exponent", object.metadata("generation", raw("1e2")),
		"a generation in words", object.metadata("generation", "1"),
		"managed fields", object.metadata("managedFields", []any{fields{
			"manager": "m", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1",
			"time": "2026-01-02T03:04:05Z", "fieldsV1": raw(`{"f:metadata": {"f:labels":{".":{}, "k:{\"a\":\"b\"}":null}}}`),
		}}),
		"owners", object.metadata("ownerReferences", []any{fields{"kind": "K", "name": "n", "uid": "u", "apiVersion": "v1", "controller": true}}),
		"escapes", object.metadata("annotations", fields{"a": raw(`"\u00e9\ud83d\ude00\n<&>\u2028"`)}),
		"half a surrogate", object.metadata("annotations", fields{"a": raw(`"\ud800"`)}),
		"bytes that are not text", strings.Replace(body, "served", "ser\xffved", 1),
		"a raw newline in a string", strings.Replace(body, "served", "ser\nved", 1),
	)
}

// media are responses in media types and encodings other than plain JSON.
func (f forms) media() []answer {
	object := f.object
	body := text(object)
	var all []answer
	add := func(name, contentType, body string) {
		all = append(all, answer{name, []reply{{status: http.StatusOK, header: []string{"Content-Type", contentType}, body: body}}})
	}
	add("of no type", "", body)
	add("as JSON in UTF-8", "application/json; charset=utf-8", body)
	add("as JSON in capitals", "Application/JSON", body)
	add("as a stream of JSON", "application/json;stream=watch", body)
	add("as JSON that is called text", "text/plain", body)
	add("as JSON that is called nonsense", "application/nonsense", body)
	add("as JSON of a broken type", "application/", body)
	add("as JSON that is called protobuf", "application/vnd.kubernetes.protobuf", body)
	add("as JSON that is called YAML", "application/yaml", body)
	if y, err := yaml.JSONToYAML([]byte(body)); err == nil {
		add("as YAML", "application/yaml", string(y))
		add("as YAML that is called JSON", "application/json", string(y))
	}
	if p, ok := f.protobuf(object); ok {
		add("as protobuf", "application/vnd.kubernetes.protobuf", p)
		add("as protobuf that is called JSON", "application/json", p)
		add("as protobuf that is cut off", "application/vnd.kubernetes.protobuf", p[:len(p)-3])
	}
	warned := []string{"Warning", `299 - "careful"`, "Warning", `299 server "twice", 299 - "thrice"`, "Warning", `199 - "minor"`, "Warning", "nonsense"}
	zipped := []string{"Content-Encoding", "gzip"}
	return append(all,
		answer{"with warnings", []reply{{status: http.StatusOK, header: warned, body: body}}},
		answer{"in gzip", []reply{{status: http.StatusOK, header: zipped, body: zip(body)}}},
		answer{"in half a gzip", []reply{{status: http.StatusOK, header: zipped, body: zip(body)[:30]}}},
		answer{"in no gzip", []reply{{status: http.StatusOK, header: zipped, body: body}}},
		answer{"in part", []reply{{status: http.StatusPartialContent, body: body}}},
	)
}

// successes are responses with various codes to requests that change an object.
func (f forms) successes() []answer {
	object := text(f.object)
	done := text(fields{"kind": "Status", "apiVersion": "v1", "status": "Success", "details": fields{"name": name}})
	return []answer{
		{"200 with the object", []reply{{status: http.StatusOK, body: object}}},
		{"200 with a status", []reply{{status: http.StatusOK, body: done}}},
		{"200 with nothing", []reply{{status: http.StatusOK}}},
		{"200 with words", []reply{{status: http.StatusOK, body: "done"}}},
		{"201 with the object", []reply{{status: http.StatusCreated, body: object}}},
		{"202 with the object", []reply{{status: http.StatusAccepted, body: object}}},
		{"202 with a status", []reply{{status: http.StatusAccepted, body: done}}},
		{"204", []reply{{status: http.StatusNoContent}}},
		{"200 with a warning", []reply{{status: http.StatusOK, header: []string{"Warning", `299 - "old"`}, body: object}}},
	}
}

// lists are responses to lists.
func (f forms) lists() []answer {
	item := fieldsOf(f.object)
	bare := item.with("kind", nil).with("apiVersion", nil)
	second := item.metadata("name", "second")
	list := fields{
		"kind": f.listKind, "apiVersion": item["apiVersion"],
		"metadata": fields{"resourceVersion": "43", "continue": "more", "remainingItemCount": 2},
		"items":    []any{item, second},
	}
	body := text(list)
	all := ok(
		"as it is", list,
		"of items without types", list.with("items", []any{bare, bare}),
		"of items with and without types", list.with("items", []any{bare, second, bare}),
		"of items of another kind", list.with("items", []any{item.with("kind", "Nothing"), item.with("apiVersion", "no.such/v9")}),
		"of no items", list.with("items", []any{}),
		"of items that are null", list.with("items", raw("null")),
		"of an item that is null", list.with("items", []any{item, raw("null")}),
		"of items that are an object", list.with("items", item),
		"of items that are numbers", list.with("items", []any{1, 2}),
		"without items", list.with("items", nil),
		"without metadata", list.with("metadata", nil),
		"of metadata that are null", list.with("metadata", raw("null")),
		"without a kind", list.with("kind", nil),
		"without a version", list.with("apiVersion", nil),
		"without a type", list.with("kind", nil).with("apiVersion", nil),
		"of anything", list.with("kind", "List").with("apiVersion", "v1"),
		"of an unknown kind", list.with("kind", "NothingList"),
		"one object", item,
		"a successful status", fields{"kind": "Status", "apiVersion": "v1", "status": "Success"},
		"no fields", "{}",
		"nothing", "",
		"null", "null",
		"an array", []any{item},
		"metadata and type behind the items", fmt.Sprintf(`{"items":%s,"metadata":%s,"apiVersion":%q,"kind":%q}`,
			text(list["items"]), text(list["metadata"]), item["apiVersion"], f.listKind),
		"items twice", fmt.Sprintf(`{"kind":%q,"apiVersion":%q,"items":[%s,%s],"items":[%s]}`, f.listKind, item["apiVersion"], text(item), text(item), text(second)),
		"items twice, then none", fmt.Sprintf(`{"kind":%q,"apiVersion":%q,"items":[%s],"items":null}`, f.listKind, item["apiVersion"], text(item)),
		"an unknown field", list.with("nonsense", []any{1}),
		"items in capitals", list.with("items", nil).with("ITEMS", []any{item}),
		"an item with a broken field", list.with("items", []any{item, second.metadata("generation", "x")}),
		"cut off in an item", body[:strings.LastIndex(body, "second")],
		"cut off between items", body[:strings.Index(body, "]")-len(text(second))],
		"cut off behind the items", body[:len(body)-1],
		"twice", body+body,
	)
	full := f.list.DeepCopyObject()
	if json.Unmarshal([]byte(body), full) == nil {
		if p, ok := f.protobuf(full); ok {
			all = append(all, answer{"as protobuf", []reply{{status: http.StatusOK, header: protobufType, body: p}}})
		}
	}
	return append(all,
		answer{"in gzip", []reply{{status: http.StatusOK, header: []string{"Content-Encoding", "gzip"}, body: zip(body)}}},
		answer{"in half a gzip", []reply{{status: http.StatusOK, header: []string{"Content-Encoding", "gzip"}, body: zip(body)[:60]}}},
		answer{"with a warning", []reply{{status: http.StatusOK, header: []string{"Warning", `299 - "old"`}, body: body}}},
	)
}

var protobufType = []string{"Content-Type", runtime.ContentTypeProtobuf}

// protobuf encodes an object; kinds without a protobuf form have none.
func (f forms) protobuf(object runtime.Object) (string, bool) {
	info, _ := runtime.SerializerInfoForMediaType(serializer.NewCodecFactory(f.tree.Scheme).SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	var out bytes.Buffer
	err := info.Serializer.Encode(object, &out)
	return out.String(), err == nil
}

func zip(s string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	// A buffer accepts everything.
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return out.String()
}
