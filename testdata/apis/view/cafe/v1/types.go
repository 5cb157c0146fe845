package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Table is a kind with the numbers that its fields have in protobuf.
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Table struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec   TableSpec   `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	Status TableStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

// TableSpec is what is wanted.
type TableSpec struct {
	Room   string            `json:"room,omitempty" protobuf:"bytes,1,opt,name=room"`
	Seats  []Seat            `json:"seats,omitempty" protobuf:"bytes,2,rep,name=seats"`
	Extras map[string]string `json:"extras,omitempty" protobuf:"bytes,3,rep,name=extras"`
	Shape  Shape             `json:"shape,omitempty" protobuf:"bytes,4,opt,name=shape,casttype=Shape"`
	Lamp   *Lamp             `json:"lamp,omitempty" protobuf:"bytes,5,opt,name=lamp"`
}

// Shape is that of a table.
type Shape string

// Seat is a place at a table.
type Seat struct {
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Kind is inlined in JSON, and a message in protobuf.
	Kind `json:",inline" protobuf:"bytes,2,opt,name=kind"`
}

// Kind is what a seat is.
type Kind struct {
	Bench *Bench `json:"bench,omitempty" protobuf:"bytes,1,opt,name=bench"`
	Stool *Bench `json:"stool,omitempty" protobuf:"bytes,2,opt,name=stool"`
}

// Bench is for several guests.
type Bench struct {
	Width int32  `json:"width" protobuf:"varint,1,opt,name=width"`
	Wood  string `json:"wood,omitempty" protobuf:"bytes,2,opt,name=wood"`
}

// Lamp hangs over a table.
type Lamp struct {
	Bulbs []string `json:"bulbs,omitempty" protobuf:"bytes,1,rep,name=bulbs"`
	Watts int64    `json:"watts,omitempty" protobuf:"varint,2,opt,name=watts"`
}

// TableStatus is what is there.
type TableStatus struct {
	Guests   int32         `json:"guests,omitempty" protobuf:"varint,1,opt,name=guests"`
	Since    *metav1.Time  `json:"since,omitempty" protobuf:"bytes,2,opt,name=since"`
	Reserved []Reservation `json:"reserved,omitempty" protobuf:"bytes,3,rep,name=reserved"`
}

// Reservation is of a guest who will come.
type Reservation struct {
	Name string      `json:"name" protobuf:"bytes,1,opt,name=name"`
	At   metav1.Time `json:"at" protobuf:"bytes,2,opt,name=at"`
}

// TableList is a page of them.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type TableList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	Items           []Table `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// Waiter is a kind with a plural of its own, and without numbers.
// +genclient
// +genclient:nonNamespaced
// +resourceName=staff
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Waiter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Shift             string   `json:"shift,omitempty"`
	Speaks            []string `json:"speaks,omitempty"`
}

// WaiterList is a page of them.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type WaiterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Waiter `json:"items"`
}
