// Package odd contains a kind with fields of types that are decoded in a way of their own, fast ones and slow ones.
package odd

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"net/url"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type (
	embedded struct {
		Hidden string `json:"hidden"`
	}
	Embedded struct {
		In string `json:"in"`
	}
	Pointed struct {
		*Embedded
		Name string `json:"name"`
	}
	Shadow struct {
		Embedded
		In int `json:"in"`
	}
	Left struct {
		Both string
	}
	Right struct {
		Both int
		Too  string `json:"too"`
	}
	Ambiguous struct {
		Left
		Right
		Own int `json:"own"`
	}
	// Itself decodes itself, as do its derivatives in part.
	Itself struct{ raw string }

	Derived  Itself           // has no methods
	Promoted struct{ Itself } // has them, also by the next type
	Again    Promoted
	Twice    struct { // both have the method, so it has none
		Itself
		Value
	}
	Deeper struct { // the method of Value is not as deep as that of Promoted
		Promoted
		Value
	}
	Hidden struct { // a field hides the method
		Itself
		UnmarshalJSON string
	}
	Other struct{ A int } // its method has another signature
	Faced struct{ json.Unmarshaler }
	Value map[string]string

	Text     string
	Named    byte
	Phase    string
	Face     interface{ Foo() }
	Anything any
	Ptr      *string
	TimePtr  *metav1.Time
	Bytes    []byte
	Dur      time.Duration
	Instant  metav1.Time
	Alias    = Phase
	Arrays   [2]Phase
	Number   json.Number

	Chain []Chain
	Loop  map[string]*Loop
	Menu  struct {
		Title string          `json:"title"`
		Items []Menu          `json:"items,omitempty"`
		By    map[string]Menu `json:"by,omitempty"`
		Up    *Menu           `json:"up,omitempty"`
		Sizes map[int]string  `json:"sizes,omitempty"`
	}
	Pair[K comparable, V any] struct {
		Key  K       `json:"key"`
		Vals map[K]V `json:"vals"`
	}
	Base struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Common            [1]bool `json:"common"`
	}
)

func (i *Itself) UnmarshalJSON(b []byte) error { i.raw += string(b); return nil }

func (v Value) UnmarshalJSON(b []byte) error { return nil }

func (o *Other) UnmarshalJSON(text string) error { return nil }

func (t *Text) UnmarshalText(b []byte) error { return nil }

// Odd is the kind.
type Odd struct {
	Base `json:",inline"`

	MapInt  map[int]string        `json:"mapInt"`
	MapText map[Text]string       `json:"mapText"`
	Maps    []map[int32]string    `json:"maps"`
	Array   [3]int                `json:"array"`
	IP      netip.Addr            `json:"ip"`
	IPs     []netip.Addr          `json:"ips"`
	URL     *url.URL              `json:"url"`
	Big     big.Int               `json:"big"`
	Std     time.Time             `json:"std"`
	Stds    map[string]*time.Time `json:"stds"`
	Dur     time.Duration         `json:"dur"`
	Num     json.Number           `json:"num"`
	Raw     json.RawMessage       `json:"raw"`
	PP      **string              `json:"pp"`
	NP      Ptr                   `json:"np"`
	NT      TimePtr               `json:"nt"`
	Any     any                   `json:"any"`
	Empty   interface{}           `json:"empty"`
	Anys    map[string]any        `json:"anys"`
	AnyPtr  *any                  `json:"anyPtr"`
	Face    Face                  `json:"face"`
	Named   Anything              `json:"named"`
	Inner   Pointed               `json:"inner"`
	Inners  []Pointed             `json:"inners"`
	Quoted  struct {
		N int   `json:"n,string"`
		B *bool `json:"b,string"`
		M int   `json:"m,inline"`
	} `json:"quoted"`
	Format    time.Duration       `json:"format,format:units"`
	Strange   string              `json:"größe"`
	Spaced    string              `json:"a b"`
	Unread    func()              `json:"-"`
	Func      func()              `json:"func"`
	Chan      chan int            `json:"chan"`
	Complex   complex64           `json:"complex"`
	Uintptr   uintptr             `json:"uintptr"`
	Shadow    Shadow              `json:"shadow"`
	Ambiguous Ambiguous           `json:"ambiguous"`
	Itself    Itself              `json:"itself"`
	Selves    map[string]*Itself  `json:"selves"`
	Derived   Derived             `json:"derived"`
	Promoted  Promoted            `json:"promoted"`
	Again     []Again             `json:"again"`
	Twice     Twice               `json:"twice"`
	Deeper    Deeper              `json:"deeper"`
	Hidden    Hidden              `json:"hidden"`
	Other     Other               `json:"other"`
	Faced     Faced               `json:"faced"`
	Value     Value               `json:"value"`
	Unnamed   struct{ time.Time } `json:"unnamed"`
	ByPointer struct{ *Itself }   `json:"byPointer"`
	Text      Text                `json:"text"`
	Lower     struct {
		embedded
		A int
	} `json:"lower"`
	InPhase struct {
		Phase
		Alias
		Face
	} `json:"inPhase"`
	Tagged struct {
		*Embedded `json:"embedded"`
		Itself    `json:",inline"`
		More      int
	} `json:"tagged"`
	Instant    Instant                       `json:"instant"`
	NamedBytes []Named                       `json:"namedBytes"`
	OwnBytes   Bytes                         `json:"ownBytes"`
	OwnArrays  *Arrays                       `json:"ownArrays"`
	OwnNumber  Number                        `json:"ownNumber"`
	OwnDur     Dur                           `json:"ownDur"`
	Chain      Chain                         `json:"chain"`
	Loop       Loop                          `json:"loop"`
	Menu       Menu                          `json:"menu"`
	Pair       Pair[string, int]             `json:"pair"`
	Pairs      []Pair[int, string]           `json:"pairs"`
	Phases     []Phase                       `json:"phases"`
	PhaseMap   map[Alias]Phase               `json:"phaseMap"`
	Ptrs       []*int32                      `json:"ptrs"`
	F32        float32                       `json:"f32"`
	Rune       rune                          `json:"rune"`
	Bytes      []byte                        `json:"bytes"`
	Secrets    map[string][]uint8            `json:"secrets"`
	Q          resource.Quantity             `json:"q"`
	Qs         map[string]*resource.Quantity `json:"qs"`
	D          *metav1.Duration              `json:"d"`
	M          []metav1.MicroTime            `json:"m"`
	T          metav1.Time                   `json:"t"`
	IS         *intstr.IntOrString           `json:"is"`
	Exts       []runtime.RawExtension        `json:"exts"`
	Object     runtime.Object                `json:"object"`
	Fields     metav1.FieldsV1               `json:"fields"`
	FieldsPtr  *metav1.FieldsV1              `json:"fieldsPtr"`
	MapSlice   map[string][][]string         `json:"mapSlice"`
	Group      metav1.GroupVersion           `json:"group"`
	Sel        *metav1.LabelSelector         `json:"sel"`
}

// Wide has more fields than a table.
type Wide struct {
	F0, F1, F2, F3         string
	F4, F5, F6, F7         string
	F8, F9, F10, F11       string
	F12, F13, F14, F15     string
	F16, F17, F18, F19     string
	F20, F21, F22, F23     string
	F24, F25, F26, F27     string
	F28, F29, F30, F31     string
	F32, F33, F34, F35     string
	F36, F37, F38, F39     string
	F40, F41, F42, F43     string
	F44, F45, F46, F47     string
	F48, F49, F50, F51     string
	F52, F53, F54, F55     string
	F56, F57, F58, F59     string
	F60, F61, F62, F63     string
	F64, F65, F66, F67     string
	F68, F69, F70, F71     string
	F72, F73, F74, F75     string
	F76, F77, F78, F79     string
	F80, F81, F82, F83     string
	F84, F85, F86, F87     string
	F88, F89, F90, F91     string
	F92, F93, F94, F95     string
	F96, F97, F98, F99     string
	F100, F101, F102, F103 string
	F104, F105, F106, F107 string
	F108, F109, F110, F111 string
	F112, F113, F114, F115 string
	F116, F117, F118, F119 string
	F120, F121, F122, F123 string
	F124, F125, F126, F127 string
	F128, F129, F130, F131 string
	Map                    map[int]string
}
