package watch_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/watch"
)

func decoders() (ours codec.StreamDecoder, exact runtime.Decoder) {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	utilruntime.Must(metav1.AddMetaToScheme(scheme))
	codecs := serializer.NewCodecFactory(scheme)
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	gv := schema.GroupVersion{Version: "v1"}
	return codec.ForScheme(scheme, codecs).DecoderToVersion(info.Serializer, gv).(codec.StreamDecoder),
		codecs.WithoutConversion().DecoderToVersion(info.Serializer, gv)
}

// chunks reads up to n bytes at a time.
type chunks struct {
	r io.Reader
	n int
}

func (c chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.n)]) }

// compare decodes the text, read in chunks of these sizes, as a watch stream and compares each step
// with the two-step decoder based on apimachinery.
func compare(t *testing.T, text string, chunk int) {
	t.Helper()
	ours, exact := decoders()
	got := watch.NewStreamDecoder(io.NopCloser(chunks{strings.NewReader(text), chunk}), ours)
	want := watch.NewDecoder(streaming.NewDecoder(json.Framer.NewFrameReader(io.NopCloser(strings.NewReader(text))), exact), exact)
	for step := range 20 {
		wantType, wantObj, wantErr := want.Decode()
		gotType, gotObj, err := got.Decode()
		switch {
		case wantErr == io.EOF || wantErr == io.ErrUnexpectedEOF: //nolint:errorlint // StreamWatcher compares in the same way
			if err != wantErr { //nolint:errorlint // StreamWatcher compares in the same way
				t.Errorf("%q: step %d: error %v, want %v", text, step, err, wantErr)
			}
			return
		case (wantErr == nil) != (err == nil) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			t.Errorf("%q: step %d: error %v, want %v", text, step, err, wantErr)
			return
		case gotType != wantType || !reflect.DeepEqual(gotObj, wantObj):
			t.Errorf("%q: step %d: %s %+v, want %s %+v", text, step, gotType, gotObj, wantType, wantObj)
		}
	}
}

const (
	object   = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","labels":{"b":"c"},"resourceVersion":"7"}}`
	added    = `{"type":"ADDED","object":` + object + `}`
	modified = `{"type":"MODIFIED","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"d"}}}`
	failure  = `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Expired","code":410}}`
	bookmark = `{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9"}}}`
)

// streams are the texts of the tests, by name.
func streams() map[string]string {
	return map[string]string{
		"nothing":                   "",
		"spaces":                    " \r\n\t\n",
		"events":                    added + "\n" + modified + "\n" + bookmark + "\n" + failure + "\n",
		"no last newline":           added + "\n" + modified,
		"no newlines":               added + modified + failure,
		"spaces between":            added + " \t" + modified + "\r\n\r\n" + bookmark,
		"newlines after one":        added + modified + "\n" + bookmark + "\n",
		"deleted":                   strings.Replace(added, "ADDED", "DELETED", 1),
		"object first":              `{"object":` + object + `,"type":"ADDED"}` + "\n" + modified + "\n",
		"unknown keys":              `{"more":[1,{}],"type":"ADDED","x":"}","object":` + object + `,"y":{"object":1}}` + "\n" + modified,
		"key after the object":      `{"type":"ADDED","object":` + object + `,"x":1}` + "\n" + modified + "\n",
		"two objects":               `{"type":"ADDED","object":{"kind":"X"},"object":` + object + `}` + "\n" + modified + "\n",
		"two types":                 `{"type":"ADDED","object":` + object + `,"type":"DELETED"}` + "\n",
		"keys in other letters":     `{"Type":"ADDED","Object":` + object + `}` + "\n" + modified + "\n",
		"pretty":                    "{\n  \"type\": \"ADDED\",\n  \"object\": " + strings.ReplaceAll(object, ",", ",\n") + "\n}\n" + modified + "\n",
		"newline in the object":     `{"type":"ADDED","object":` + strings.ReplaceAll(object, `,"`, ",\n\"") + "}\n" + modified + "\n",
		"newline before the end":    `{"type":"ADDED","object":` + object + "\n}\n" + modified + "\n",
		"type escaped":              strings.Replace(added, "ADDED", `\u0041DDED`, 1) + "\n",
		"unknown type":              strings.Replace(added, "ADDED", "MOVED", 1) + "\n" + modified + "\n",
		"no type":                   `{"object":` + object + "}\n" + modified + "\n",
		"type null":                 `{"type":null,"object":` + object + "}\n",
		"type a number":             `{"type":1,"object":` + object + "}\n" + modified,
		"no object":                 `{"type":"ADDED"}` + "\n" + modified + "\n",
		"object null":               `{"type":"ADDED","object":null}` + "\n" + modified + "\n",
		"object empty":              `{"type":"ADDED","object":{}}` + "\n" + modified + "\n",
		"object a string":           `{"type":"ADDED","object":"a"}` + "\n" + modified + "\n",
		"object of no kind":         `{"type":"ADDED","object":{"metadata":{"name":"a"}}}` + "\n" + modified + "\n",
		"object of an unknown kind": `{"type":"ADDED","object":{"kind":"X","apiVersion":"v1"}}` + "\n" + modified + "\n",
		"object wrong inside":       `{"type":"ADDED","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":5}}}` + "\n" + modified + "\n",
		"object's kind last":        `{"type":"ADDED","object":{"metadata":{"name":"a"},"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1"}}` + "\n",
		"empty frame":               "{}\n" + modified + "\n",
		"frame with a kind":         `{"kind":"Status","apiVersion":"v1","type":"ADDED","object":` + object + "}\n" + modified + "\n",
		"frame null":                "null\n" + modified + "\n",
		"frame a list":              "[]\n" + modified + "\n",
		"frame a string":            "\"x\"\n" + modified + "\n",
		"frame a number":            "1\n" + modified + "\n",
		"not JSON":                  "HTTP/1.1 500\n",
		"not JSON after an event":   added + "\n<html>}\n" + modified + "\n",
		"literal cut, a space":      "n ",
		"closed twice":              added + "}\n" + modified + "\n",
		"cut at the start":          added + "\n{",
		"cut in the type":           added + "\n" + `{"type":"AD`,
		"cut in the object":         added + "\n" + modified[:60],
		"cut after the object":      added + "\n" + modified[:len(modified)-1],
		"cut, a newline":            added + "\n" + modified[:len(modified)-1] + "\n",
		"invalid UTF-8":             strings.Replace(added, `"c"`, "\"\xff\"", 1) + "\n" + modified + "\n",
		"two frames in a line":      `{"type":"ADDED","object":` + object + `}{"type":"ADDED","object":` + object + "}\n" + modified + "\n",
		"long":                      strings.Repeat(added+"\n"+modified+"\n", 8),
		"large":                     strings.Replace(added, `"c"`, `"`+strings.Repeat("c", 20_000)+`"`, 1) + "\n" + modified + "\n",
	}
}

func TestStreamAsTwoSteps(t *testing.T) {
	for name, text := range streams() {
		t.Run(name, func(t *testing.T) {
			for _, chunk := range []int{1, 2, 3, 7, 64, 1 << 20} {
				compare(t, text, chunk)
			}
		})
	}
}

func FuzzStream(f *testing.F) {
	for _, text := range streams() {
		if len(text) < 4096 {
			f.Add(text, uint16(3))
			f.Add(text, uint16(4096))
		}
	}
	f.Fuzz(func(t *testing.T, text string, chunk uint16) { compare(t, text, int(chunk)+1) })
}

// TestStreamBroken holds what ends a stream.
func TestStreamBroken(t *testing.T) {
	reset := errors.New("connection reset")
	for _, c := range []struct {
		name string
		r    io.Reader
		want error
	}{
		{"between events", iotest.ErrReader(reset), reset},
		{"within one", io.MultiReader(strings.NewReader(added[:40]), iotest.ErrReader(reset)), reset},
		{"with the last bytes", iotest.DataErrReader(io.MultiReader(strings.NewReader(added[:40]), iotest.ErrReader(reset))), reset},
		{"too large", io.MultiReader(strings.NewReader(`{"type":"ADDED","object":"`), endless{}), streaming.ErrObjectTooLarge},
		{"too large, with newlines", io.MultiReader(strings.NewReader("{\"type\":\"ADDED\",\n\"object\":\""), endless{}), streaming.ErrObjectTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			ours, _ := decoders()
			d := watch.NewStreamDecoder(io.NopCloser(io.MultiReader(strings.NewReader(modified+"\n"), c.r)), ours)
			if _, _, err := d.Decode(); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, _, err := d.Decode(); err != c.want { //nolint:errorlint // as StreamWatcher compares
					t.Errorf("error %v, want %v", err, c.want)
				}
			}
		})
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestStreamGivesEventsAsTheyCome reads from a server that waits after each
// event, with and without a newline.
func TestStreamGivesEventsAsTheyCome(t *testing.T) {
	for _, end := range []string{"\n", ""} {
		ours, _ := decoders()
		r, w := io.Pipe()
		d := watch.NewStreamDecoder(r, ours)
		wrote := make(chan error)
		go func() {
			for _, event := range []string{added, modified} {
				_, err := io.WriteString(w, event+end)
				wrote <- err
			}
		}()
		for _, want := range []apiwatch.EventType{apiwatch.Added, apiwatch.Modified} {
			typ, _, err := d.Decode()
			if typ != want || err != nil {
				t.Errorf("%s, %v, want %s", typ, err, want)
			}
			if err := <-wrote; err != nil {
				t.Error(err)
			}
		}
		d.Close()
		if _, _, err := d.Decode(); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after Close: %v", err)
		}
	}
}

// TestStreamErrorNamesTheObject holds that the error of an object that cannot
// be decoded says which it is.
func TestStreamErrorNamesTheObject(t *testing.T) {
	ours, _ := decoders()
	text := `{"type":"ADDED","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"n","labels":{"x":5}}}}`
	_, _, err := watch.NewStreamDecoder(io.NopCloser(strings.NewReader(text+"\n")), ours).Decode()
	var failed *codec.Error
	if !errors.As(err, &failed) {
		t.Fatalf("%T: %v", err, err)
	}
	failed.Err = nil
	want := codec.Error{
		GVK:       schema.GroupVersionKind{Group: "meta.k8s.io", Version: "v1", Kind: "PartialObjectMetadata"},
		Namespace: "n", Name: "a", Index: -1, Pointer: "/metadata/labels/x",
	}
	if *failed != want {
		t.Errorf("%+v, want %+v", *failed, want)
	}
}

// TestStreamHasNext holds that only events that have arrived as lines are reported, and that looking changes nothing.
func TestStreamHasNext(t *testing.T) {
	ours, _ := decoders()
	r, w := io.Pipe()
	d := watch.NewStreamDecoder(r, ours)
	next := d.(interface{ HasNext() bool })
	if next.HasNext() {
		t.Error("before anything was read")
	}
	go func() {
		_, _ = io.WriteString(w, added+"\n"+modified+"\n"+bookmark)
		_ = w.Close()
	}()
	for i, want := range []bool{true, false, false} {
		if _, _, err := d.Decode(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := next.HasNext(); got != want {
				t.Errorf("after event %d: %v, want %v", i, got, want)
			}
		}
	}
	if _, _, err := d.Decode(); err != io.EOF || !next.HasNext() { //nolint:errorlint // as StreamWatcher compares
		t.Errorf("at the end: %v", err)
	}
}

// TestStreamHasNoNext holds that the rest of the line of a frame is not taken for another, also after a frame that is
// not as servers write it: an event would be kept until the next one.
func TestStreamHasNoNext(t *testing.T) {
	ours, _ := decoders()
	rest, ok := strings.CutPrefix(added, `{"type":"ADDED","object":`)
	if !ok {
		t.Fatal(added)
	}
	reversed := `{"object":` + strings.TrimSuffix(rest, "}") + `,"type":"ADDED"}`
	for _, text := range []string{added + "\n", reversed + "\n", reversed + " \r\n\n"} {
		r, w := io.Pipe()
		d := watch.NewStreamDecoder(r, ours)
		go func() { _, _ = io.WriteString(w, text) }()
		if _, _, err := d.Decode(); err != nil {
			t.Fatal(err)
		}
		if d.(interface{ HasNext() bool }).HasNext() {
			t.Errorf("after %q", text)
		}
		_ = r.Close()
	}
}

func TestStreamKeepsObjectsApart(t *testing.T) {
	ours, _ := decoders()
	d := watch.NewStreamDecoder(io.NopCloser(strings.NewReader(strings.Repeat(added+"\n"+modified+"\n", 100))), ours)
	_, first, err := d.Decode()
	if err != nil {
		t.Fatal(err)
	}
	copied := first.DeepCopyObject()
	for range 199 {
		if _, _, err := d.Decode(); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(first, copied) {
		t.Errorf("%+v, was %+v", first, copied)
	}
}

func TestEncodeAndDecode(t *testing.T) {
	ours, exact := decoders()
	codecs := json.NewSerializerWithOptions(json.DefaultMetaFactory, nil, nil, json.SerializerOptions{})
	obj := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a", ResourceVersion: "3"}}
	sent := obj.DeepCopy()
	sent.SetGroupVersionKind(schema.GroupVersionKind{Group: "meta.k8s.io", Version: "v1", Kind: "PartialObjectMetadata"})
	var b bytes.Buffer
	encoder := watch.NewEncoder(streaming.NewEncoder(&b, codecs), codecs)
	for _, typ := range []apiwatch.EventType{apiwatch.Added, apiwatch.Bookmark} {
		if err := encoder.Encode(&apiwatch.Event{Type: typ, Object: sent}); err != nil {
			t.Fatal(err)
		}
	}
	for name, d := range map[string]apiwatch.Decoder{
		"one step":  watch.NewStreamDecoder(io.NopCloser(bytes.NewReader(b.Bytes())), ours),
		"two steps": watch.NewDecoder(streaming.NewDecoder(json.Framer.NewFrameReader(io.NopCloser(bytes.NewReader(b.Bytes()))), exact), exact),
	} {
		for _, want := range []apiwatch.EventType{apiwatch.Added, apiwatch.Bookmark} {
			typ, got, err := d.Decode()
			if err != nil || typ != want || !reflect.DeepEqual(got, runtime.Object(obj)) {
				t.Errorf("%s: %s %+v %v", name, typ, got, err)
			}
		}
		if _, _, err := d.Decode(); err != io.EOF { //nolint:errorlint // as StreamWatcher compares
			t.Errorf("%s: error %v at the end", name, err)
		}
		d.Close()
	}
}
