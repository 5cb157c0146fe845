// Package v1 has every marker of validation, on fields and on types.
//
// +groupName=markers.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Gauge measures something.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Gauge struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Numbers   Numbers   `json:"numbers,omitempty"`
	Texts     Texts     `json:"texts,omitempty"`
	Lists     Lists     `json:"lists,omitempty"`
	Maps      Maps      `json:"maps,omitempty"`
	Enums     Enums     `json:"enums,omitempty"`
	Defaults  Defaults  `json:"defaults,omitempty"`
	Opaque    Opaque    `json:"opaque,omitempty"`
	Presence  Presence  `json:"presence,omitempty"`
	Documents Documents `json:"documents,omitempty"`
}

// GaugeList is a list of gauges.
//
// +kubebuilder:object:root=true
type GaugeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Gauge `json:"items"`
}

// Numbers are bounded.
type Numbers struct {
	// +kubebuilder:validation:Minimum=-5
	// +kubebuilder:validation:Maximum=100
	Both int32 `json:"both,omitempty"`

	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:Maximum=10
	// +kubebuilder:validation:ExclusiveMaximum=true
	Between int64 `json:"between,omitempty"`

	// +kubebuilder:validation:ExclusiveMinimum=false
	// +kubebuilder:validation:ExclusiveMaximum=false
	NotExclusive int `json:"notExclusive,omitempty"`

	// +kubebuilder:validation:MultipleOf=5
	Fifth uint32 `json:"fifth,omitempty"`

	// +k8s:minimum=1
	// +k8s:maximum=3 # of three
	Declared int16 `json:"declared,omitempty"`

	// +kubebuilder:validation:Minimum=9007199254740993
	Large int64 `json:"large,omitempty"`

	// +kubebuilder:validation:Maximum=1e3
	Exponent uint8 `json:"exponent,omitempty"`

	// +kubebuilder:validation:Maximum=70
	Named Percent `json:"named,omitempty"`

	Unmarked *Percent `json:"unmarked,omitempty"`

	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern=`^[0-9]+%$`
	Either intstr.IntOrString `json:"either,omitempty"`

	Plain *intstr.IntOrString `json:"plain,omitempty"`

	// +kubebuilder:validation:Format=int64
	Reformatted int `json:"reformatted,omitempty"`

	// +kubebuilder:validation:Type=number
	// +kubebuilder:validation:Minimum=0.5
	Retyped string `json:"retyped,omitempty"`
}

// Percent is a share.
//
// +kubebuilder:validation:Minimum=0
// +kubebuilder:validation:Maximum=100
type Percent int32

// Texts are bounded.
type Texts struct {
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=5
	Short string `json:"short,omitempty"`

	// +kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]*[a-z0-9])?$`
	Raw string `json:"raw,omitempty"`

	// +kubebuilder:validation:Pattern="^\\d+\"?$"
	Quoted string `json:"quoted,omitempty"`

	// +kubebuilder:validation:Pattern=^[a-f]+$
	Bare string `json:"bare,omitempty"`

	// +kubebuilder:validation:Format=date-time
	Time string `json:"time,omitempty"`

	// +kubebuilder:validation:Format="ipv4"
	Address string `json:"address,omitempty"`

	// +kubebuilder:validation:MaxLength=3
	Named Label `json:"named,omitempty"`

	Pointer *Label `json:"pointer,omitempty"`

	Bytes []byte `json:"bytes,omitempty"`

	// +kubebuilder:validation:MaxLength=12
	LimitedBytes []byte `json:"limitedBytes,omitempty"`
}

// Label is a word.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=63
// +kubebuilder:validation:Pattern=`^[a-zA-Z]+$`
type Label string

// Lists are of all kinds.
type Lists struct {
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	Counted []string `json:"counted,omitempty"`

	// +kubebuilder:validation:UniqueItems=false
	NotUnique []string `json:"notUnique,omitempty"`

	// +k8s:maxItems=2
	Declared []int32 `json:"declared,omitempty"`

	// +listType=set
	Set []string `json:"set,omitempty"`

	// +listType=atomic
	Atomic []string `json:"atomic,omitempty"`

	// +listType=map
	// +listMapKey=name
	Map []Item `json:"map,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=port
	// +kubebuilder:validation:MaxItems=8
	DeclaredMap []Item `json:"declaredMap,omitempty"`

	// +listType=map
	// +k8s:listType=map
	// +listMapKey=name
	// +k8s:listMapKey=name
	Twice []Item `json:"twice,omitempty"`

	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=4
	// +kubebuilder:validation:items:Pattern=`^[a-z]*$`
	// +kubebuilder:validation:MaxItems=5
	Words []string `json:"words,omitempty"`

	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=9
	// +kubebuilder:validation:items:ExclusiveMaximum=true
	// +kubebuilder:validation:items:MultipleOf=2
	Digits []int32 `json:"digits,omitempty"`

	// +kubebuilder:validation:items:Enum=red;green
	Colours []string `json:"colours,omitempty"`

	// +kubebuilder:validation:items:Format=ipv6
	Addresses []string `json:"addresses,omitempty"`

	// +kubebuilder:validation:items:XValidation:rule="self != 'x'",message="not x"
	// +kubebuilder:validation:items:MaxLength=10
	// +kubebuilder:validation:MaxItems=10
	Ruled []string `json:"ruled,omitempty"`

	// +kubebuilder:validation:items:MinProperties=1
	// +kubebuilder:validation:items:MaxProperties=2
	Objects []map[string]string `json:"objects,omitempty"`

	// +kubebuilder:validation:items:MinItems=1
	// +kubebuilder:validation:items:MaxItems=2
	Nested [][]string `json:"nested,omitempty"`

	// +kubebuilder:validation:items:XIntOrString
	Ports []intstr.IntOrString `json:"ports,omitempty"`

	Named Tags `json:"named,omitempty"`

	// +kubebuilder:validation:MaxItems=2
	Narrowed Tags `json:"narrowed,omitempty"`

	// +listType=atomic
	Replaced Tags `json:"replaced,omitempty"`

	Pointers []*Item `json:"pointers,omitempty"`

	Fixed [2]string `json:"fixed,omitempty"`
}

// Tags is a set of words.
//
// +listType=set
// +kubebuilder:validation:MaxItems=4
// +kubebuilder:validation:items:MaxLength=6
type Tags []string

// Item is found by its name.
type Item struct {
	Name string `json:"name"`
	// +kubebuilder:default=80
	Port int32 `json:"port"`
	// +optional
	Value *string `json:"value,omitempty"`
}

// Maps are of all kinds.
type Maps struct {
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=2
	Counted map[string]string `json:"counted,omitempty"`

	// +mapType=atomic
	Atomic map[string]string `json:"atomic,omitempty"`

	// +mapType=granular
	Granular map[string]int32 `json:"granular,omitempty"`

	// +structType=atomic
	Struct Item `json:"struct,omitempty"`

	Item AtomicItem `json:"item,omitempty"`

	Keyed map[Label]Item `json:"keyed,omitempty"`

	Nested map[string]map[string][]string `json:"nested,omitempty"`

	Pointers map[string]*Item `json:"pointers,omitempty"`

	Named Annotations `json:"named,omitempty"`

	Bytes map[string][]byte `json:"bytes,omitempty"`
}

// AtomicItem is replaced as a whole.
//
// +structType=atomic
type AtomicItem struct {
	First  string `json:"first,omitempty"`
	Second string `json:"second,omitempty"`
}

// Annotations are words.
//
// +mapType=atomic
// +kubebuilder:validation:MaxProperties=3
type Annotations map[string]Label

// Enums are one of a few.
type Enums struct {
	// +kubebuilder:validation:Enum=red;green;"light blue"
	Text string `json:"text,omitempty"`
	// +kubebuilder:validation:Enum={one,two}
	Braces string `json:"braces,omitempty"`
	// +kubebuilder:validation:Enum=1;2;3
	Number int32 `json:"number,omitempty"`
	// +kubebuilder:validation:Enum=""
	Empty string `json:"empty,omitempty"`
	// +kubebuilder:validation:Enum=true;false
	Bool bool   `json:"bool,omitempty"`
	Type Colour `json:"type,omitempty"`
	// +kubebuilder:validation:Enum=red
	Narrowed Colour `json:"narrowed,omitempty"`
	Declared Shape  `json:"declared,omitempty"`
	Mixed    Mixed  `json:"mixed,omitempty"`
}

// Colour is one of three.
//
// +kubebuilder:validation:Enum=red;green;blue
type Colour string

const (
	Red   Colour = "red"
	Green Colour = "green"
)

// Shape has the values that are declared.
//
// +k8s:enum
type Shape string

const (
	Square Shape = "square"
	Circle Shape = `circle`
	// Hexagon has six sides.
	Hexagon Shape = "hexagon"
)

// Line is not a shape.
const Line = "line"

// Mixed may be empty.
// +kubebuilder:validation:Enum="";a;`b c`
type Mixed string

// Defaults are of all types.
type Defaults struct {
	// +kubebuilder:default=text
	Bare string `json:"bare"`
	// +kubebuilder:default="quoted, text"
	Quoted string `json:"quoted"`
	// +kubebuilder:default=`raw "text"`
	Raw string `json:"raw,omitempty"`
	// +kubebuilder:default=""
	Empty string `json:"empty"`
	// +kubebuilder:default=7
	Number int32 `json:"number"`
	// +kubebuilder:default=-7
	Negative int32 `json:"negative"`
	// +kubebuilder:default=true
	Bool bool `json:"bool"`
	// +kubebuilder:default:=text
	Colon string `json:"colon"`
	// +kubebuilder:default={a,b,"c d"}
	List []string `json:"list"`
	// +kubebuilder:default={}
	EmptyList []string `json:"emptyList"`
	// +kubebuilder:default={name: x, port: 8080}
	Object Item `json:"object"`
	// +kubebuilder:default={"name":"x","port":1}
	JSON Item `json:"json"`
	// +kubebuilder:default={}
	EmptyObject AtomicItem `json:"emptyObject"`
	// +kubebuilder:default={a: "1", b: two}
	Map map[string]string `json:"map"`
	// +kubebuilder:default={{name: a, port: 1},{name: b, port: 2}}
	Objects []Item `json:"objects"`
	// +default="json"
	Plain string `json:"plain,omitempty"`
	// +default=["a","b"]
	PlainList []string `json:"plainList,omitempty"`
	// +default={"first":"x"}
	PlainObject AtomicItem `json:"plainObject,omitempty"`
	// +default=3
	PlainNumber int64 `json:"plainNumber,omitempty"`
	// +default=ref(Line)
	Reference string `json:"reference,omitempty"`
	// +default="first"
	// +kubebuilder:default=second
	Both string `json:"both,omitempty"`
	// +kubebuilder:default=red
	Enum Colour `json:"enum,omitempty"`
	// +kubebuilder:default="1"
	NumberInQuotes string `json:"numberInQuotes,omitempty"`
	// +kubebuilder:default="1h"
	Duration metav1.Duration `json:"duration,omitempty"`
	// +kubebuilder:default="25%"
	IntOrString intstr.IntOrString `json:"intOrString,omitempty"`
	// +kubebuilder:default=0
	IntOrStringNumber *intstr.IntOrString `json:"intOrStringNumber,omitempty"`
	// +nullable
	// +kubebuilder:default=null
	Null *string `json:"null,omitempty"`
}

// Opaque fields have no schema, or less.
type Opaque struct {
	// +kubebuilder:pruning:PreserveUnknownFields
	Raw runtime.RawExtension `json:"raw,omitempty"`
	// +kubebuilder:validation:XPreserveUnknownFields
	Old runtime.RawExtension `json:"old,omitempty"`
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	Embedded runtime.RawExtension `json:"embedded,omitempty"`
	// +kubebuilder:validation:XEmbeddedResource
	EmbeddedToo runtime.RawExtension `json:"embeddedToo,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Schemaless func() `json:"schemaless,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=3
	SchemalessText any `json:"schemalessText,omitempty"`
	Bag            Bag `json:"bag,omitempty"`
	// +kubebuilder:validation:items:EmbeddedResource
	// +kubebuilder:validation:items:XPreserveUnknownFields
	List []runtime.RawExtension `json:"list,omitempty"`
}

// Bag holds anything.
//
// +kubebuilder:pruning:PreserveUnknownFields
type Bag struct {
	Known string `json:"known,omitempty"`
}

// Presence has required and optional fields in every form.
type Presence struct {
	A string `json:"a"`
	B string `json:"b,omitempty"`
	C string `json:"c,omitzero"`
	// +optional
	D string `json:"d"`
	// +required
	E string `json:"e,omitempty"`
	// +kubebuilder:validation:Optional
	F string `json:"f"`
	// +kubebuilder:validation:Required
	G string `json:"g,omitempty"`
	// +k8s:optional
	H string `json:"h"`
	// +k8s:required
	I string `json:"i,omitempty"`
	// +k8s:required
	J []string `json:"j,omitempty"`
	// +k8s:required
	K map[string]string `json:"k,omitempty"`
	// +k8s:required
	L Item `json:"l,omitempty"`
	// +k8s:required
	// +kubebuilder:validation:MinLength=4
	M string `json:"m,omitempty"`
	// +k8s:required
	N *int32 `json:"n,omitempty"`
	// +optional
	// +kubebuilder:validation:Required
	O string `json:"o"`
	// +kubebuilder:validation:Optional
	// +required
	P string `json:"p"`
	// +nullable
	Q *string `json:"q,omitempty"`
	// +nullable
	// +optional
	R []string `json:"r"`
	// +k8s:immutable
	S string `json:"s"`
	// +k8s:immutable
	// +optional
	T string  `json:"t,omitempty"`
	U *string `json:"u"`
	V string  `json:"-"`
	W string  `json:"-,"`
	// +kubebuilder:default=x
	X string `json:"x"`
}

// Documents are described.
type Documents struct {
	// +kubebuilder:title=Title
	Bare string `json:"bare,omitempty"`
	// +kubebuilder:title="A title, quoted"
	Quoted string `json:"quoted,omitempty"`
	// +kubebuilder:example=x
	Example string `json:"example,omitempty"`
	// +kubebuilder:example={a,b}
	Examples []string `json:"examples,omitempty"`
	// +kubebuilder:example={name: x, port: 1}
	Object Item `json:"object,omitempty"`
	// +kubebuilder:externalDocs:url="https://example.com/docs",description="More"
	Docs string `json:"docs,omitempty"`
	// +kubebuilder:externalDocs:url="https://example.com/docs"
	Bare2  string `json:"bare2,omitempty"`
	Titled Titled `json:"titled,omitempty"`
}

// Titled has a title.
//
// +kubebuilder:title="The title"
// +kubebuilder:externalDocs:url=https://example.com/titled
type Titled struct {
	X string `json:"x,omitempty"`
}
