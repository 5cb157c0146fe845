package codec_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec"
)

// Kinds that contain themselves, or embed pointers.
type (
	// Menu and MenuItem contain items of their own types, as lists do.
	Menu struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Items             []MenuItem `json:"items,omitempty"`
	}
	MenuItem struct {
		Name  string     `json:"name,omitempty"`
		Price any        `json:"price,omitempty"`
		Items []MenuItem `json:"items,omitempty"`
	}
	MenuList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`
		Items           []Menu `json:"items"`
	}
	// Crate contains lists of its own kind.
	Crate struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Content           *CrateList  `json:"content,omitempty"`
		Items             []CrateList `json:"items,omitempty"`
	}
	CrateList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`
		Items           []*Crate `json:"items"`
	}
	// Ping and Pong contain each other.
	Ping struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Items             []*Pong         `json:"items,omitempty"`
		By                map[string]Pong `json:"by,omitempty"`
	}
	Pong struct {
		Items []Ping           `json:"items,omitempty"`
		By    map[string]*Ping `json:"by,omitempty"`
	}
	// Forest contains itself through a generic type, and types that consist only of themselves.
	Forest[T any] struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Items             []Grove[T] `json:"items,omitempty"`
	}
	Grove[T any] struct {
		Value       T           `json:"value,omitempty"`
		Items       []Forest[T] `json:"items,omitempty"`
		Left, Right *Grove[T]
		Loop        Loop `json:"loop,omitempty"`
		Maze        Maze `json:"maze,omitempty"`
	}
	Loop []Loop
	Maze map[string]Maze
	// Pile is its own list.
	Pile struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`
		Items           []Pile `json:"items"`
	}

	// AnyList has items of any type.
	AnyList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`
		Items           []struct {
			Value any            `json:"value,omitempty"`
			More  map[string]any `json:"more,omitempty"`
			List  []any          `json:"list,omitempty"`
			Time  *metav1.Time   `json:"time,omitempty"`
		} `json:"items"`
	}

	// OwnList has items that unmarshal themselves.
	OwnList struct {
		metav1.TypeMeta `json:",inline"`
		Items           OwnItems `json:"items"`
	}
	OwnItems []Inner

	// Loose embeds its metadata by pointers.
	Loose struct {
		metav1.TypeMeta    `json:",inline"`
		*metav1.ObjectMeta `json:"metadata,omitempty"`
		Port               Port `json:"port"`
	}
	LooseList struct {
		metav1.TypeMeta  `json:",inline"`
		*metav1.ListMeta `json:"metadata,omitempty"`
		Items            []Loose `json:"items"`
	}
	// Looser embeds everything by pointers.
	Looser struct {
		*metav1.TypeMeta   `json:",inline"`
		*metav1.ObjectMeta `json:"metadata,omitempty"`
		*EnvVar
		Value int `json:"value"`
	}
	LooserList struct {
		*metav1.TypeMeta `json:",inline"`
		*metav1.ListMeta `json:"metadata,omitempty"`
		Items            []*Looser `json:"items"`
	}
	// Hollow has its metadata in a struct embedded by a pointer, and unmarshals itself.
	Hollow struct {
		metav1.TypeMeta `json:",inline"`
		*HollowBase     `json:"base,omitempty"`
	}
	HollowBase struct {
		Padding           string
		metav1.ObjectMeta `json:"metadata,omitempty"`
	}
	HollowList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`
		Items           []Hollow `json:"items"`
	}

	// Shouted has fields whose names differ from kind and apiVersion only in case.
	Shouted struct {
		metav1.TypeMeta `json:",inline"`
		Kind            string `json:"Kind,omitempty"`
		APIVersion      string
		Name            string `json:"name,omitempty"`
	}
	ShoutedList struct {
		metav1.TypeMeta `json:",inline"`
		KIND            *string   `json:"KIND,omitempty"`
		Items           []Shouted `json:"items"`
	}
)

func (m *Menu) DeepCopyObject() runtime.Object        { c := *m; return &c }
func (m *MenuList) DeepCopyObject() runtime.Object    { c := *m; return &c }
func (c *Crate) DeepCopyObject() runtime.Object       { d := *c; return &d }
func (c *CrateList) DeepCopyObject() runtime.Object   { d := *c; return &d }
func (p *Ping) DeepCopyObject() runtime.Object        { c := *p; return &c }
func (f *Forest[T]) DeepCopyObject() runtime.Object   { c := *f; return &c }
func (p *Pile) DeepCopyObject() runtime.Object        { c := *p; return &c }
func (l *AnyList) DeepCopyObject() runtime.Object     { c := *l; return &c }
func (l *OwnList) DeepCopyObject() runtime.Object     { c := *l; return &c }
func (l *Loose) DeepCopyObject() runtime.Object       { c := *l; return &c }
func (l *LooseList) DeepCopyObject() runtime.Object   { c := *l; return &c }
func (l *Looser) DeepCopyObject() runtime.Object      { c := *l; return &c }
func (l *LooserList) DeepCopyObject() runtime.Object  { c := *l; return &c }
func (h *Hollow) DeepCopyObject() runtime.Object      { c := *h; return &c }
func (l *HollowList) DeepCopyObject() runtime.Object  { c := *l; return &c }
func (s *Shouted) DeepCopyObject() runtime.Object     { c := *s; return &c }
func (l *ShoutedList) DeepCopyObject() runtime.Object { c := *l; return &c }

func (i *OwnItems) UnmarshalJSON(b []byte) error {
	*i = append(*i, Inner{X: len(b)})
	return nil
}

func (h *Hollow) UnmarshalJSON(b []byte) error {
	if strings.Contains(string(b), "null") {
		h.HollowBase = &HollowBase{}
	}
	if strings.Contains(string(b), "fail") {
		return fmt.Errorf("not %d bytes", len(b))
	}
	return nil
}

func (s *Shouted) GetObjectKind() schema.ObjectKind     { return &s.TypeMeta }
func (l *ShoutedList) GetObjectKind() schema.ObjectKind { return &l.TypeMeta }

// oddKinds are the kinds above.
func oddKinds() []runtime.Object {
	return []runtime.Object{
		&Menu{}, &MenuList{}, &Crate{}, &CrateList{}, &Ping{}, &Forest[any]{}, &Forest[Inner]{}, &Pile{}, &AnyList{}, &OwnList{},
		&Loose{}, &LooseList{}, &Looser{}, &LooserList{}, &Hollow{}, &HollowList{}, &Shouted{}, &ShoutedList{},
	}
}

// kindName is the kind under which an object of oddKinds is registered.
func kindName(obj runtime.Object) string {
	return strings.NewReplacer("[", "Of", "]", "", ".", "", "{", "", "}", "", " ", "", "/", "").Replace(reflect.TypeOf(obj).Elem().Name())
}

// oddKindsScheme is the scheme of the tests with these kinds.
func oddKindsScheme() *runtime.Scheme {
	scheme := newScheme()
	for _, obj := range oddKinds() {
		scheme.AddKnownTypeWithName(group.WithKind(kindName(obj)), obj)
	}
	return scheme
}

// oddBodies are the members of such objects after their heads.
func oddBodies() []string {
	return []string{
		``, `"metadata":null`, `"metadata":{}`, `"metadata":{"name":"a"}`, `"metadata":7`, `"items":null`, `"items":[]`, `"items":7`, `"items":{}`,
		`"items":[null,{},7]`, `"items":[{"metadata":{"name":"a"},"port":7}]`, `"items":[{"port":7,"value":"x","name":7}]`,
		`"items":[{"kind":"X","apiVersion":"y/v1","port":7,"value":"x"}]`,
		`"items":[{"fail":1}]`, `"items":[{"x":null},{"x":null,"y":"fail"}]`, `"items":[{"base":{"metadata":{"name":"a"}}}]`, `"fail":1`,
		`"items":[{"name":"a","price":1,"items":[{"name":"b","price":[2,2.5],"items":[{"price":{"c":3}}]}]}]`,
		`"items":[{"value":1}],"items":[{"value":2,"more":{"a":3},"list":[4,[5]]},{"value":1e2}]`,
		`"items":[{"value":1,"more":{"a":3},"list":[4]}],"items":[{"value":{"b":2},"more":{"c":3}}],"items":[{"list":[{"d":1}],"time":"2026-01-02T03:04:05Z"}]`,
		`"items":[{"price":1,"items":[{"price":2}]}],"items":[{"items":[{"price":3}],"items":[{"price":4}]}]`,
		`"items":[{"Left":{"value":1,"Right":{"value":{"x":2}}},"loop":[[],[[]],null],"maze":{"a":{"b":{}},"c":null}}]`,
		`"items":[{"items":[{"items":[{"items":[]}]}],"by":{"a":{"by":{"b":{"items":[null]}}}}}],"by":{"c":{"items":[{"items":[]}]}}`,
		`"content":{"items":[{"content":{"items":[]},"items":[{"items":[null]}]}]},"items":[{"items":[{"metadata":{"name":"a"}}]}]`,
		`"name":"a","value":"b"`, `"name":"a","value":1`, `"value":1`, `"port":{"name":"a","port":1}`, `"metadata":{"name":"a"},"port":7`,
		`"Kind":"KIND"`, `"Kind":"X","APIVersion":"widgets.example.com/v1"`, `"APIVersion":"widgets.example.com/v1"`, `"name":"a","Kind":"KIND","APIVersion":"v1"`,
		`"Kind":null,"KIND":"KIND"`, `"KIND":"KIND","items":[{"Kind":"a","kind":"b","APIVersion":"c"}]`, `"kind":"KIND","Kind":7`,
	}
}

// deepBodies are the members of objects of recursive kinds, nested as deep as is allowed, or
// deeper.
func deepBodies() []string {
	nest := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	return []string{
		`"items":` + nest(`[{"items":`, `[]`, `}]`, 4999), `"items":` + nest(`[{"items":`, `null`, `}]`, 5000),
		`"items":` + nest(`[{"by":{"b":`, `null`, `}}]`, 3332),
		`"items":[{"loop":` + nest(`[`, ``, `]`, 9997) + `}]`, `"items":[{"loop":` + nest(`[`, ``, `]`, 9998) + `}]`,
		`"items":[{"maze":` + nest(`{"a":`, `{}`, `}`, 9996) + `}]`, `"items":[{"maze":` + nest(`{"a":`, `{}`, `}`, 9997) + `}]`,
		`"items":[{"Left":` + nest(`{"Right":`, `{}`, `}`, 9996) + `}]`, `"items":[{"Left":` + nest(`{"Right":`, `{}`, `}`, 9997) + `}]`,
		`"items":` + nest(`[{"items":`, ``, ``, 20000),
	}
}

// oddTexts returns the texts of an object of a kind, in each of the orders in which servers write
// members.
func oddTexts(kind string, bodies []string) (texts []string) {
	for _, body := range bodies {
		body = strings.ReplaceAll(body, "KIND", kind)
		comma := ","
		if body == "" {
			comma = ""
		}
		texts = append(texts,
			fmt.Sprintf(`{"apiVersion":"widgets.example.com/v1","kind":%q%s%s}`, kind, comma, body),
			fmt.Sprintf(`{"apiVersion":"widgets.example.com/v1"%s%s,"kind":%q}`, comma, body, kind),
		)
	}
	return append(texts, `{}`)
}

// TestOddKinds checks that kinds that contain themselves, or embed pointers, are decoded as by
// apimachinery.
func TestOddKinds(t *testing.T) {
	for _, obj := range oddKinds() {
		kind := kindName(obj)
		t.Run(kind, func(t *testing.T) {
			o := &oracle{}
			o.ours, o.exact = decoders(oddKindsScheme())
			for _, text := range oddTexts(kind, oddBodies()) {
				o.check(t, []byte(text), obj, 7)
				o.check(t, []byte(text), nil, 7)
			}
		})
	}
}

// TestDeepKinds decodes recursive kinds, nested as deep as is allowed and deeper.
func TestDeepKinds(t *testing.T) {
	o := &oracle{}
	o.ours, o.exact = decoders(oddKindsScheme())
	for _, obj := range []runtime.Object{&Menu{}, &Ping{}, &Forest[any]{}, &Pile{}} {
		for _, text := range oddTexts(kindName(obj), deepBodies()) {
			o.check(t, []byte(text), obj, 4096)
		}
	}
}

// TestOddKindsTolerated checks that tolerance makes no difference for objects of such kinds that
// can be decoded, and that those that cannot be decoded cause no panic.
func TestOddKindsTolerated(t *testing.T) {
	ours, _ := decoders(oddKindsScheme())
	for _, obj := range oddKinds() {
		for _, text := range oddTexts(kindName(obj), oddBodies()) {
			want, _, wantErr := ours.Decode([]byte(text), nil, nil)
			got, _, err := tolerantly(ours).Decode([]byte(text), nil, nil)
			if wantErr == nil && (err != nil || !reflect.DeepEqual(want, got)) {
				t.Errorf("%s: %+v, %v, want %+v", text, got, err, want)
			}
			wantItems, wantErr := itemsOf(ours, text, fresh(obj))
			gotItems, err := itemsOf(tolerantly(ours), text, fresh(obj))
			if wantErr == nil && (err != nil || !reflect.DeepEqual(wantItems, gotItems)) {
				t.Errorf("%s: items %+v, %v, want %+v", text, gotItems, err, wantItems)
			}
		}
	}
}

// itemsOf decodes a list item by item.
func itemsOf(d codec.StreamDecoder, text string, list runtime.Object) (items []runtime.Object, err error) {
	newItem := func() runtime.Object { return &Widget{} }
	if field, ok := reflect.TypeOf(list).Elem().FieldByName("Items"); ok {
		if item, ok := reflect.New(field.Type.Elem()).Interface().(runtime.Object); ok {
			newItem = func() runtime.Object { return fresh(item) }
		}
	}
	_, err = d.DecodeList(strings.NewReader(text), list, newItem, func(item runtime.Object) error {
		items = append(items, item)
		return nil
	})
	return items, err
}
