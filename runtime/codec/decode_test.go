package codec_test

import (
	"bytes"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// targets are the objects into which texts are decoded.
func targets() map[string]runtime.Object {
	return map[string]runtime.Object{
		"nothing":          nil,
		"widget":           &Widget{},
		"list":             &WidgetList{},
		"pointers":         &PointerList{},
		"raw list":         &RawList{},
		"status":           &metav1.Status{},
		"partial":          &metav1.PartialObjectMetadata{},
		"partial list":     &metav1.PartialObjectMetadataList{},
		"watch event":      &metav1.WatchEvent{},
		"unknown":          &runtime.Unknown{},
		"unstructured":     &unstructured.Unstructured{},
		"unstructuredlist": &unstructured.UnstructuredList{},
		"table":            &metav1.Table{},
		"unregistered":     &unregistered{},
	}
}

type unregistered struct {
	Widget
}

const (
	widgetHead = `{"apiVersion":"widgets.example.com/v1","kind":"Widget"`
	listHead   = `{"apiVersion":"widgets.example.com/v1","kind":"WidgetList"`
	sortedHead = `{"apiVersion":"widgets.example.com/v1","items":`
)

// texts are the texts of the tests, by name.
func texts(tb testing.TB) map[string]string {
	whole := string(compact(tb))
	m := map[string]string{
		"whole":                      whole,
		"whole, indented":            string(widgetJSON),
		"empty":                      ``,
		"spaces":                     " \n",
		"null":                       `null`,
		"number":                     `1`,
		"array":                      `[]`,
		"empty object":               `{}`,
		"kind only":                  `{"kind":"Widget"}`,
		"apiVersion only":            `{"apiVersion":"widgets.example.com/v1"}`,
		"nothing else":               widgetHead + `}`,
		"kind last":                  `{"metadata":{"name":"a"},"kind":"Widget","apiVersion":"widgets.example.com/v1"}`,
		"kind between":               `{"kind":"Widget","metadata":{"name":"a"},"apiVersion":"widgets.example.com/v1","spec":{"image":"i"}}`,
		"no kind":                    `{"metadata":{"name":"a"},"spec":{"image":"i"}}`,
		"kind null":                  `{"kind":null,"apiVersion":"widgets.example.com/v1","metadata":{"name":"a"}}`,
		"kind of a wrong type":       `{"kind":5,"apiVersion":"widgets.example.com/v1","metadata":{"name":"a"}}`,
		"kind empty":                 `{"kind":"","apiVersion":"widgets.example.com/v1","metadata":{"name":"a"}}`,
		"apiVersion malformed":       `{"kind":"Widget","apiVersion":"a/b/c","metadata":{"name":"a"}}`,
		"apiVersion without version": `{"kind":"Widget","apiVersion":"widgets.example.com/","metadata":{"name":"a"}}`,
		"another version":            `{"kind":"Widget","apiVersion":"widgets.example.com/v2","metadata":{"name":"a"}}`,
		"unknown kind":               `{"kind":"Gadget","apiVersion":"widgets.example.com/v1","metadata":{"name":"a"}}`,
		"another kind":               `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"no","reason":"NotFound","details":{"name":"a","kind":"widgets","causes":[{"message":"m"}],"retryAfterSeconds":3},"code":404}`,
		"status of another group":    `{"kind":"Status","apiVersion":"widgets.example.com/v1","status":"Failure"}`,
		"status of no group":         `{"kind":"Status","apiVersion":"nowhere/v1","status":"Failure"}`,
		"kind in other letters":      `{"Kind":"Widget","APIVERSION":"widgets.example.com/v1","metadata":{"name":"a"}}`,
		"kind with a kelvin":         widgetHead + `,"metadata":{"name":"a"},"\u212aind":"Status"}`,
		"kind with a kelvin first":   widgetHead + `,"\u212aind":"Status","metadata":{"name":"a"}}`,
		"apiVersion with a long s":   widgetHead + `,"metadata":{"name":"a"},"api\u0056er\u017fion":"v1"}`,
		"kind only, of no version":   `{"kind":"Status","status":"Failure"}`,
		"version empty":              `{"kind":"Status","apiVersion":"g/","status":"Failure"}`,
		"kind escaped":               `{"apiVersion":"widgets.example.com/v1","\u006bind":"W\u0069dget","metadata":{"name":"a"}}`,
		"kind again":                 widgetHead + `,"metadata":{"name":"a"},"kind":"Widget","spec":{"image":"i"}}`,
		"kind again, null":           widgetHead + `,"metadata":{"name":"a"},"kind":null,"apiVersion":null}`,
		"kind again, another":        widgetHead + `,"metadata":{"name":"a"},"kind":"WidgetList","items":[]}`,
		"kind again, wrong":          widgetHead + `,"metadata":{"name":"a"},"kind":{}}`,
		"kind again, other letters":  widgetHead + `,"metadata":{"name":"a"},"KIND":"WidgetList","items":[]}`,
		"apiVersion again, another":  widgetHead + `,"metadata":{"name":"a"},"apiVersion":"v1"}`,
		"kind first, twice":          `{"kind":"WidgetList","kind":"Widget","apiVersion":"v1","apiVersion":"widgets.example.com/v1","metadata":{}}`,
		"names in other letters":     widgetHead + `,"Metadata":{"name":"a"},"SPEC":{"image":"i"},"metadata":{"Name":"a","LABELS":{"a":"b"}}}`,
		"unknown members":            widgetHead + `,"extra":{"a":[1,{"b":null}]},"":1,"metadata":{"name":"a","more":[{}]},"spec":{"image":"i","x":{"y":1e400}}}`,
		"empty name first":           widgetHead + `,"":{"a":1},"metadata":{"name":"a"}}`,
		"metadata null":              widgetHead + `,"metadata":null,"spec":null,"status":null}`,
		"metadata of a wrong type":   widgetHead + `,"metadata":[]}`,
		"metadata all null":          widgetHead + `,"metadata":{"name":null,"namespace":null,"uid":null,"labels":null,"annotations":null,"managedFields":null,"creationTimestamp":null,"deletionTimestamp":null,"generation":null,"finalizers":null,"ownerReferences":null}}`,
		"metadata full":              widgetHead + `,"metadata":{"name":"a","generateName":"a-","namespace":"n","selfLink":"/x","uid":"u","resourceVersion":"1","generation":2,"creationTimestamp":"2026-01-02T03:04:05Z","deletionTimestamp":"2026-01-02T03:04:05Z","deletionGracePeriodSeconds":30,"labels":{},"annotations":{"a":"b"},"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u","controller":true}],"finalizers":["a","b"],"managedFields":[]}}`,
		"metadata twice":             widgetHead + `,"metadata":{"name":"a","labels":{"a":"1","b":"2"},"managedFields":[{"manager":"m","time":"2026-01-02T03:04:05Z","fieldsV1":{"a":{}}},{"manager":"n"}],"finalizers":["x","y"],"deletionTimestamp":"2026-01-02T03:04:05Z"},"metadata":{"labels":{"b":"3"},"managedFields":[{"operation":"Apply"}],"finalizers":["z"],"deletionTimestamp":null}}`,
		"labels twice":               widgetHead + `,"metadata":{"labels":{"a":"1"},"labels":{"b":"2"},"labels":null,"labels":{"c":"3"},"annotations":{"a":"1","a":"2","a":null}}}`,
		"label of a wrong type":      widgetHead + `,"metadata":{"name":"a","labels":{"a":1}}}`,
		"managed fields, odd":        widgetHead + `,"metadata":{"managedFields":[null,{},{"time":null,"fieldsV1":null},{"fieldsV1":{"a":1},"fieldsV1":null},{"time":"2026-01-02T03:04:05Z","time":null},{"fieldsV1":[ 1 , 2 ]},{"fieldsV1":"text","unknown":1}]}}`,
		"managed fields, wrong":      widgetHead + `,"metadata":{"managedFields":[{"manager":"m"},7]}}`,
		"managed fields, no array":   widgetHead + `,"metadata":{"managedFields":{"a":1}}}`,
		"owners, odd":                widgetHead + `,"metadata":{"ownerReferences":[null,{},{"controller":null,"blockOwnerDeletion":false},{"uid":"u","uid":null,"uid":"v","controller":true,"controller":false,"controller":null,"unknown":[]},{"name":"\u0061"}]}}`,
		"owners, wrong":              widgetHead + `,"metadata":{"ownerReferences":[{"controller":1}]}}`,
		"owners, a text":             widgetHead + `,"metadata":{"ownerReferences":["u"]}}`,
		"owners, no array":           widgetHead + `,"metadata":{"ownerReferences":{"a":1}}}`,
		"owners, empty":              widgetHead + `,"metadata":{"ownerReferences":[]}}`,
		"owners, unfinished":         widgetHead + `,"metadata":{"ownerReferences":[{"uid":"u"},`,
		"owners twice":               widgetHead + `,"metadata":{"ownerReferences":[{"uid":"u","controller":true},{"uid":"v"}],"ownerReferences":[{"name":"n"}]}}`,
		"finalizers, odd":            widgetHead + `,"metadata":{"finalizers":["a",null,"","\u0062"]}}`,
		"finalizers, wrong":          widgetHead + `,"metadata":{"finalizers":["a",1]}}`,
		"finalizers, a text":         widgetHead + `,"metadata":{"finalizers":"a"}}`,
		"generation, a float":        widgetHead + `,"metadata":{"generation":1.0}}`,
		"generation, large":          widgetHead + `,"metadata":{"generation":9223372036854775807}}`,
		"generation, too large":      widgetHead + `,"metadata":{"generation":9223372036854775808}}`,
		"generation, negative zero":  widgetHead + `,"metadata":{"generation":-0}}`,
		"generation, a text":         widgetHead + `,"metadata":{"generation":"1"}}`,
		"conditions, odd":            widgetHead + `,"status":{"conditions":[null,{},{"type":"Ready","type":null,"status":"True","lastTransitionTime":null,"observedGeneration":null,"x":{}},{"lastTransitionTime":"2026-01-02T03:04:05Z","reason":"R","message":"\n","observedGeneration":7}]}}`,
		"conditions, wrong":          widgetHead + `,"status":{"conditions":[{"type":"Ready","status":true}]}}`,
		"conditions, no array":       widgetHead + `,"status":{"conditions":{"type":"Ready"}}}`,
		"conditions, wrong time":     widgetHead + `,"status":{"conditions":[{"lastTransitionTime":"soon"}]}}`,
		"conditions, unfinished":     widgetHead + `,"status":{"conditions":[{"type":"Ready"}`,
		"conditions twice":           widgetHead + `,"status":{"conditions":[{"type":"A","reason":"a"},{"type":"B"}],"conditions":[{"type":"C"}],"conditions":[]}}`,
		"durations":                  widgetHead + `,"status":{"timeout":"1h2m3.5s","grace":"-\u0031s","timeout":null}}`,
		"duration, a number":         widgetHead + `,"status":{"timeout":5}}`,
		"duration, not one":          widgetHead + `,"status":{"grace":"long"}}`,
		"duration, null":             widgetHead + `,"status":{"timeout":"1s","timeout":null,"grace":"1s","grace":null}}`,
		"uid of a wrong type":        widgetHead + `,"metadata":{"uid":true}}`,
		"time escaped":               widgetHead + `,"metadata":{"creationTimestamp":"2026-01-02T03:04:05\u005a"}}`,
		"time with an offset":        widgetHead + `,"metadata":{"creationTimestamp":"2026-01-02T03:04:05.123456789+05:30"}}`,
		"time with a comma":          widgetHead + `,"metadata":{"creationTimestamp":"2026-01-02T3:04:05,5Z"}}`,
		"time, not one":              widgetHead + `,"metadata":{"creationTimestamp":"yesterday"}}`,
		"time, a number":             widgetHead + `,"metadata":{"creationTimestamp":5}}`,
		"time, an object":            widgetHead + `,"metadata":{"creationTimestamp":{}}}`,
		"time, empty":                widgetHead + `,"metadata":{"creationTimestamp":""}}`,
		"number for a string":        widgetHead + `,"spec":{"image":1}}`,
		"string for a number":        widgetHead + `,"spec":{"replicas":"1"}}`,
		"float for an integer":       widgetHead + `,"spec":{"replicas":1.0}}`,
		"exponent for an integer":    widgetHead + `,"spec":{"replicas":1e2}}`,
		"negative zero":              widgetHead + `,"spec":{"replicas":-0,"ratio":-0}}`,
		"too large an integer":       widgetHead + `,"spec":{"replicas":2147483648}}`,
		"too large a float":          widgetHead + `,"spec":{"ratio":1e400}}`,
		"small float":                widgetHead + `,"spec":{"ratio":1e-400}}`,
		"leading zero":               widgetHead + `,"spec":{"replicas":01}}`,
		"slice twice":                widgetHead + `,"spec":{"env":[{"name":"a","value":"1"},{"name":"b","value":"2"}],"env":[{"name":"c"}],"env":[{"value":"x"},{"value":"y"},{"value":"z"}]}}`,
		"slice to empty":             widgetHead + `,"spec":{"args":["a"],"args":[],"ports":[]}}`,
		"slice with null":            widgetHead + `,"spec":{"args":["a",null],"ports":[null,{"port":null}],"env":null}}`,
		"pointer twice":              widgetHead + `,"spec":{"replicas":1,"replicas":null,"selector":{"matchLabels":{"a":"b"}},"selector":{"matchExpressions":[]}}}`,
		"invalid UTF-8":              widgetHead + ",\"metadata\":{\"name\":\"a\xffb\",\"labels\":{\"\xc3\":\"\xed\xa0\x80\"}},\"spec\":{\"image\":\"\xf0\x28\"}}",
		"surrogates":                 widgetHead + `,"metadata":{"name":"\ud800","labels":{"\ud83d\ude00":"\udc00\ud800x"}},"spec":{"image":"\ud83dx"}}`,
		"escapes":                    widgetHead + `,"metadata":{"name":"\"\\\/\b\f\n\r\t\u0000","annotations":{"\u0061":"\u00e9"}},"spec":{"image":"\u0069"}}`,
		"control character":          widgetHead + ",\"metadata\":{\"name\":\"a\nb\"}}",
		"bad escape":                 widgetHead + `,"metadata":{"name":"\x41"}}`,
		"trailing space":             whole + "\n\t ",
		"trailing brace":             whole + "}",
		"trailing object":            whole + "{}",
		"trailing comma":             widgetHead + `,"metadata":{"name":"a"},}`,
		"missing colon":              widgetHead + `,"metadata"{"name":"a"}}`,
		"truncated":                  whole[:len(whole)-1],
		"truncated in a string":      widgetHead + `,"metadata":{"name":"a`,
		"truncated in the head":      `{"apiVersion":"widgets.exam`,
		"comment":                    widgetHead + `/* no */}`,
		"byte order mark":            "\xef\xbb\xbf" + whole,
		"deep":                       widgetHead + `,"spec":{"x":` + strings.Repeat("[", 9997) + strings.Repeat("]", 9997) + `}}`,
		"deep by one":                widgetHead + `,"spec":{"x":` + strings.Repeat("[", 9998) + strings.Repeat("]", 9998) + `}}`,
		"too deep":                   widgetHead + `,"spec":{"x":` + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + `}}`,

		"list":                        listHead + `,"metadata":{"resourceVersion":"7","continue":"c","remainingItemCount":3},"items":[` + whole + `,{"metadata":{"name":"b"}}]}`,
		"list, empty":                 listHead + `,"metadata":{"resourceVersion":"7"},"items":[]}`,
		"list, items null":            listHead + `,"metadata":{"resourceVersion":"7"},"items":null}`,
		"list, items missing":         listHead + `,"metadata":{"resourceVersion":"7"}}`,
		"list, items first":           `{"items":[{"metadata":{"name":"a"}}],"kind":"WidgetList","apiVersion":"widgets.example.com/v1","metadata":{"resourceVersion":"7"}}`,
		"list, sorted":                sortedHead + `[` + whole + `,null,{"metadata":{"name":"b"}}],"kind":"WidgetList","metadata":{"resourceVersion":"7"}}`,
		"list, sorted, item wrong":    sortedHead + `[{"metadata":{"name":"a"}},{"spec":1}],"kind":"WidgetList"}`,
		"list, sorted, kind missing":  sortedHead + `[{"metadata":{"name":"a"}}],"metadata":{"resourceVersion":"7"}}`,
		"list, kind null first":       `{"apiVersion":"widgets.example.com/v1","kind":null,"items":[{"metadata":{"name":"a"}}]}`,
		"list, sorted, kind null":     sortedHead + `[{}],"kind":null}`,
		"list, sorted, kind again":    sortedHead + `[{}],"kind":"WidgetList","kind":"WidgetList"}`,
		"list, sorted, another kind":  sortedHead + `[{}],"kind":"Status"}`,
		"list, sorted, wrong, other":  sortedHead + `[{"spec":1}],"kind":"Status"}`,
		"list, sorted, null":          sortedHead + `null,"kind":"WidgetList"}`,
		"list, sorted, items wrong":   sortedHead + `7,"kind":"WidgetList"}`,
		"list, sorted, truncated":     sortedHead + `[{}],"kind":"Widget`,
		"list, sorted, another group": `{"apiVersion":"meta.k8s.io/v1","items":[{}],"kind":"WidgetList"}`,
		"kind after the spec":         `{"apiVersion":"widgets.example.com/v1","data":{"kind":"X"},"kind":"Widget","metadata":{"name":"a"},"spec":{"image":"i"}}`,
		"kind after, twice":           `{"apiVersion":"widgets.example.com/v1","spec":{},"kind":"","kind":"Widget"}`,
		"kind after, a number first":  `{"apiVersion":"widgets.example.com/v1","kind":7,"spec":{},"kind":"Widget"}`,
		"list, items before metadata": listHead + `,"items":[{"metadata":{"name":"a"}}],"metadata":{"resourceVersion":"7"}}`,
		"list, items twice":           listHead + `,"items":[{"metadata":{"name":"a","labels":{"a":"b"}}},{"metadata":{"name":"b"}}],"items":[{"metadata":{"namespace":"n"}}]}`,
		"list, items twice, null":     listHead + `,"items":[{"metadata":{"name":"a"}}],"items":null}`,
		"list, items twice, wrong":    listHead + `,"items":[-1,{}],"items":[{"metadata":{"name":"a"}}]}`,
		"list, item null":             listHead + `,"items":[null,{"metadata":{"name":"a"}},null]}`,
		"list, item wrong":            listHead + `,"items":[{"metadata":{"name":"a"}},1]}`,
		"list, item wrong inside":     listHead + `,"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"},"spec":{"image":[]}}]}`,
		"list, items wrong":           listHead + `,"items":{"a":1}}`,
		"list, items a string":        listHead + `,"items":"AAAA"}`,
		"list, items with kinds":      listHead + `,"items":[` + whole + `,{"kind":"Other","apiVersion":"o/v1"},{"kind":"K"},{"apiVersion":"v1"}]}`,
		"list, item kind twice":       listHead + `,"items":[{"kind":"A","kind":"B","Kind":"C","kind":null}]}`,
		"list, many":                  listHead + `,"items":[` + strings.Repeat(`{"metadata":{"name":"a"}},`, 1500) + `{}]}`,
		"list, nested":                listHead + `,"items":[{"items":[1]}]}`,
		"list, truncated":             listHead + `,"items":[{"metadata":{"name":"a"}}`,
		"list, trailing":              listHead + `,"items":[]} x`,
		"list, kind changes, wrong":   listHead + `,"items":[{"metadata":5}],"kind":"Status","apiVersion":"v1"}`,
		"list, kind changes":          listHead + `,"items":[{"metadata":{"name":"a"}}],"kind":"Status"}`,
		"list, kind follows, empty":   sortedHead + `[{"metadata":{"name":"a"}}],"kind":""}`,
		"list of pointers":            `{"apiVersion":"widgets.example.com/v1","kind":"PointerList","items":[null,` + whole + `,{}]}`,
		"list of raw items":           `{"apiVersion":"widgets.example.com/v1","kind":"RawList","items":[null, {"a" : 1} ,` + whole + `,7]}`,
		"list of partial objects":     `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","items":[{"metadata":{"name":"a"}}]}`,
		"list without kind":           `{"items":[{"metadata":{"name":"a"}}]}`,
		"table":                       `{"apiVersion":"meta.k8s.io/v1","kind":"Table","columnDefinitions":[{"name":"a","type":"b"}],"rows":[{"cells":[1,1.5,"a",null,true,{"a":1e2},[1]],"object":{"kind":"a"}}]}`,

		"untyped numbers":        widgetHead + `,"n":[1,-1,0,-0,1.0,1e2,1E2,9223372036854775807,9223372036854775808,-9223372036854775809,1.5e300,0.1]}`,
		"untyped number too big": widgetHead + `,"n":1e999}`,
		"untyped twice":          widgetHead + `,"m":{"a":{"b":1},"a":{"c":2}},"m":{"d":[]},"l":[[],{}],"t":true,"f":false,"z":null}`,
		"untyped metadata":       widgetHead + `,"metadata":7}`,
	}
	m["padded"] = strings.ReplaceAll(strings.ReplaceAll(whole, ":", " : "), ",", "\t,\r\n")
	return m
}

func TestDecodeAsApimachinery(t *testing.T) {
	o := newOracle()
	for name, text := range texts(t) {
		for into, obj := range targets() {
			t.Run(name+" into "+into, func(t *testing.T) {
				chunk := 4096
				if len(text) < 4096 {
					chunk = 1
				}
				o.check(t, []byte(text), obj, chunk)
			})
		}
	}

	if o.taken < 300 {
		t.Errorf("only %d texts were decoded in one pass", o.taken)
	}
}

func FuzzDecode(f *testing.F) {
	var into []runtime.Object
	for _, name := range []string{"nothing", "widget", "list", "pointers", "raw list", "partial", "unstructured", "unstructuredlist", "table"} {
		into = append(into, targets()[name])
	}
	for _, text := range texts(f) {
		if len(text) < 8192 {
			for i := range into {
				f.Add(uint8(i), uint8(7), []byte(text))
			}
		}
	}
	for _, obj := range oddKinds() {
		for _, text := range oddTexts(kindName(obj), oddBodies()) {
			f.Add(uint8(len(into)), uint8(7), []byte(text))
		}
		into = append(into, obj)
	}
	o := &oracle{}
	o.ours, o.exact = decoders(oddKindsScheme())
	f.Fuzz(func(t *testing.T, which, chunk uint8, data []byte) {
		// Decoding a text must not change earlier results.
		copied := bytes.Clone(data)
		o.check(t, copied, into[int(which)%len(into)], int(chunk)+1)
	})
}
