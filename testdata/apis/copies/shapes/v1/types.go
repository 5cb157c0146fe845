package v1

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Drawing is a kind.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Drawing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Fields   Fields               `json:"fields"`
	Maps     Maps                 `json:"maps"`
	Slices   Slices               `json:"slices"`
	Pointers Pointers             `json:"pointers"`
	Raw      runtime.RawExtension `json:"raw"`
	Size     resource.Quantity    `json:"size"`
	Object   runtime.Object       `json:"-"`
	Wait     time.Duration        `json:"wait"`
	Owner    types.NamespacedName `json:"owner"`
	Since    metav1.Time          `json:"since"`
	Unnamed  struct{ A, B int }   `json:"unnamed"`
}

// DrawingList is a list of drawings.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type DrawingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Drawing `json:"items"`
}

// Plain is a struct that assigning copies.
type Plain struct {
	A int     `json:"a"`
	B float64 `json:"b"`
	c int32
}

// Deep is a struct that assigning does not copy.
type Deep struct {
	Names []string `json:"names"`
}

// Grid is a plain value with an array, on which functions are called nevertheless.
type Grid struct {
	Cells [4]int `json:"cells"`
}

// Pair is an array, which has no functions.
type Pair [2]string

// Line is a slice with functions.
type Line []Deep

// Index is a map with functions.
type Index map[string][]string

// Excluded has no functions.
//
// +k8s:deepcopy-gen=false
type Excluded struct {
	A string `json:"a"`
}

// Mark is an interface, whose values have a method that copies them.
type Mark interface {
	DeepCopyMark() Mark
}

// Dot is a Mark, by a function with a pointer receiver.
//
// +k8s:deepcopy-gen:interfaces=github.com/listwatch/listwatch/testdata/apis/copies/shapes/v1.Mark
type Dot struct {
	At []int `json:"at"`
}

// Cross is a Mark, and others, by functions without pointer receivers.
//
// +k8s:deepcopy-gen:interfaces=github.com/listwatch/listwatch/testdata/apis/copies/shapes/v1.Mark,github.com/listwatch/listwatch/testdata/apis/copies/shapes/v1.Sign
// +k8s:deepcopy-gen:interfaces=github.com/listwatch/listwatch/testdata/apis/copies/shapes/v1.Mark
// +k8s:deepcopy-gen:nonpointer-interfaces=true
type Cross struct {
	At []int `json:"at"`
}

// Sign is another interface that Cross implements.
type Sign interface {
	DeepCopySign() Sign
}

// Fields contains each form in a field.
type Fields struct {
	Plain   Plain             `json:"plain"`
	Deep    Deep              `json:"deep"`
	Pointer ByPointer         `json:"pointer"`
	Value   ByValue           `json:"value"`
	Into    ByInto            `json:"into"`
	Text    Text              `json:"text"`
	Mark    Mark              `json:"-"`
	Map     map[string]string `json:"map"`
	Slice   []byte            `json:"slice"`
	Named   Line              `json:"named"`
	Ref     *string           `json:"ref"`
	Grid    Grid              `json:"grid"`
	Pair    Pair              `json:"pair"`
	Other   Excluded          `json:"other"`
	X, Y    []string          `json:"-"`
	Deeper  `json:",inline"`
}

// Deeper is embedded.
type Deeper struct {
	Deepest *Deeper `json:"deepest"`
}

// Maps contains each form in values of maps.
type Maps struct {
	Plain     map[string]Plain                `json:"plain"`
	Sets      map[Text]struct{}               `json:"-"`
	Deep      map[Text]Deep                   `json:"deep"`
	Pointer   map[string]ByPointer            `json:"pointer"`
	Value     map[string]ByValue              `json:"value"`
	Mark      map[string]Mark                 `json:"-"`
	Slices    map[string][]string             `json:"slices"`
	Maps      map[string]map[string]Deep      `json:"maps"`
	Pointers  map[string]*Deep                `json:"pointers"`
	Named     map[string]Line                 `json:"named"`
	Custom    map[string]*ByValue             `json:"custom"`
	Nested    map[string][]map[string]*Number `json:"nested"`
	Durations map[string]metav1.Duration      `json:"durations"`
}

// Number is not copied by functions.
type Number int

// Slices contains each form in elements of slices.
type Slices struct {
	Plain    []Plain            `json:"plain"`
	Deep     []Deep             `json:"deep"`
	Pointer  []ByPointer        `json:"pointer"`
	Value    []ByValue          `json:"value"`
	Mark     []Mark             `json:"-"`
	Slices   [][]string         `json:"slices"`
	Maps     []map[string]int64 `json:"maps"`
	Pointers []*Deep            `json:"pointers"`
	Named    []Index            `json:"named"`
	Grids    []Grid             `json:"grids"`
}

// Pointers contains each form behind pointers.
type Pointers struct {
	Plain   *Plain       `json:"plain"`
	Deep    *Deep        `json:"deep"`
	Pointer *ByPointer   `json:"pointer"`
	Value   *ByValue     `json:"value"`
	Into    *ByInto      `json:"into"`
	Map     *Index       `json:"map"`
	Slice   *[]Line      `json:"slice"`
	Twice   **Deep       `json:"twice"`
	Time    *metav1.Time `json:"time"`
}
