package table_test

import (
	"encoding/json"
	"net/netip"
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
	Itself struct{ raw string }
	Chain  []Chain
	Menu   struct {
		Title string          `json:"title"`
		Items []Menu          `json:"items,omitempty"`
		By    map[string]Menu `json:"by,omitempty"`
		Up    *Menu           `json:"up,omitempty"`
	}
	Phase string
	// OptionalText, OptionalNumber, OptionalMenu and OptionalTime are pointers with names, which have no methods.
	OptionalText   *string
	OptionalNumber *int32
	OptionalMenu   *Menu
	OptionalTime   *metav1.Time
)

func (i *Itself) UnmarshalJSON(b []byte) error {
	i.raw += string(b)
	return nil
}

// Odd is an object with fields of all types that are decoded in a way of their own.
type Odd struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	MapInt map[int]string  `json:"mapInt"`
	Array  [3]int          `json:"array"`
	IP     netip.Addr      `json:"ip"`
	IPs    []netip.Addr    `json:"ips"`
	Std    time.Time       `json:"std"`
	Dur    time.Duration   `json:"dur"`
	Num    json.Number     `json:"num"`
	Raw    json.RawMessage `json:"raw"`
	PP     **string        `json:"pp"`
	NP     OptionalText    `json:"np"`
	NI     OptionalNumber  `json:"ni"`
	NM     OptionalMenu    `json:"nm"`
	NT     OptionalTime    `json:"nt"`
	NPs    []OptionalText  `json:"nps"`
	Any    any             `json:"any"`
	Anys   map[string]any  `json:"anys"`
	AnyPtr *any            `json:"anyPtr"`
	Inner  Pointed         `json:"inner"`
	Inners []Pointed       `json:"inners"`
	Quoted struct {
		N int   `json:"n,string"`
		B *bool `json:"b,string"`
		M int   `json:"m"`
	} `json:"quoted"`
	Shadow    Shadow              `json:"shadow"`
	Ambiguous Ambiguous           `json:"ambiguous"`
	Itself    Itself              `json:"itself"`
	Selves    map[string]*Itself  `json:"selves"`
	Unnamed   struct{ time.Time } `json:"unnamed"`
	Lower     struct {
		embedded
		A int
	} `json:"lower"`
	Chain    Chain                        `json:"chain"`
	Menu     Menu                         `json:"menu"`
	Phases   []Phase                      `json:"phases"`
	PhaseMap map[Phase]Phase              `json:"phaseMap"`
	Ptrs     []*int32                     `json:"ptrs"`
	Str      *string                      `json:"str"`
	F32      float32                      `json:"f32"`
	F64      *float64                     `json:"f64"`
	U8       uint8                        `json:"u8"`
	U16      uint16                       `json:"u16"`
	U32      *uint32                      `json:"u32"`
	U64      uint64                       `json:"u64"`
	I8       *int8                        `json:"i8"`
	I16      int16                        `json:"i16"`
	I64      *int64                       `json:"i64"`
	Yes      *bool                        `json:"yes"`
	Bytes    []byte                       `json:"bytes"`
	Secrets  map[string][]byte            `json:"secrets"`
	Q        resource.Quantity            `json:"q"`
	Qs       map[string]resource.Quantity `json:"qs"`
	D        metav1.Duration              `json:"d"`
	DP       *metav1.Duration             `json:"dp"`
	M        metav1.MicroTime             `json:"m"`
	T        *metav1.Time                 `json:"t"`
	IS       *intstr.IntOrString          `json:"is"`
	Ext      runtime.RawExtension         `json:"ext"`
	Exts     []runtime.RawExtension       `json:"exts"`
	Slices   [][]string                   `json:"slices"`
	MapSlice map[string][]string          `json:"mapSlice"`
	MapMap   map[string]map[string]string `json:"mapMap"`
	MapPtr   map[string]*Menu             `json:"mapPtr"`
	Group    metav1.GroupVersion          `json:"group"`
	Sel      *metav1.LabelSelector        `json:"sel"`
}

const oddText = `{"kind":"Odd","apiVersion":"v1","metadata":{"name":"n","namespace":"ns","uid":"u","resourceVersion":"7","generation":3,"creationTimestamp":"2026-03-01T12:00:00Z","deletionTimestamp":"2026-03-02T12:00:00Z","deletionGracePeriodSeconds":30,"labels":{"app":"x","tier":"y"},"annotations":{"a":"b"},"finalizers":["f","g"],"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o","uid":"v","controller":true}],"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","time":"2026-03-01T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:x":{}}}},{"manager":"s","operation":"Update","time":"2026-03-01T12:00:01Z","fieldsV1":{"f:status":{}},"subresource":"status"}]},"mapInt":{"1":"a","-2":"b"},"array":[1,2,3],"ip":"10.0.0.1","ips":["::1","1.2.3.4"],"std":"2026-03-01T12:00:00Z","dur":5000,"num":12.5,"raw":{"a":[1,2]},"pp":"x","np":"y","ni":8,"nm":{"title":"z"},"nt":{},"nps":["a",null],"any":{"a":1,"b":[1.5,true,null,"s"]},"anys":{"a":1,"b":{"c":2}},"anyPtr":[1],"inner":{"in":"i","name":"n"},"inners":[{"in":"i"},{"name":"n"}],"quoted":{"n":"5","b":"true","m":6},"shadow":{"in":3},"ambiguous":{"Both":4,"too":"t","own":5},"itself":{"x":[1, 2]},"selves":{"a":1,"b":null},"unnamed":{"x":1},"lower":{"hidden":"h","A":1},"chain":[[],[[]]],"menu":{"title":"t","items":[{"title":"u","items":[]},{"title":"v","by":{"k":{"title":"w"}}}],"up":{"title":"x","up":null}},"phases":["A","B"],"phaseMap":{"a":"b"},"ptrs":[1,null,3],"str":"s","f32":1.5,"f64":0.1,"u8":200,"u16":60000,"u32":7,"u64":18,"i8":-5,"i16":-300,"i64":9,"yes":true,"bytes":"aGVsbG8=","secrets":{"a":"aGVsbG8=","b":null},"q":"500m","qs":{"cpu":"1","memory":"1Gi","x":0.5},"d":"5s","dp":"1h","m":"2026-03-01T12:00:00.123456Z","t":"2026-03-01T12:00:00+02:00","is":"25%","ext":{"kind":"X"},"exts":[{"a":1},null],"slices":[["a"],[],null],"mapSlice":{"a":["b"],"c":[]},"mapMap":{"a":{"b":"c"},"d":{}},"mapPtr":{"a":{"title":"q"},"b":null},"group":"apps/v1","sel":{"matchLabels":{"a":"b"},"matchExpressions":[{"key":"k","operator":"In","values":["x","y"]}]}}`
