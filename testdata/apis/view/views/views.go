// Package views has views of kinds of several groups.
package views

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	v1 "github.com/listwatch/listwatch/testdata/apis/view/cafe/v1"
)

// TableView has some fields of a Table, with structs without names, and has its own metadata.
// +listwatch:view=github.com/listwatch/listwatch/testdata/apis/view/cafe/v1.Table
type TableView struct {
	metav1.TypeMeta `json:",inline"`
	Meta            `json:"metadata"`

	Spec struct {
		Room  string `json:"room,omitempty"`
		Seats []struct {
			Name  string `json:"name"`
			Bench *Bench `json:"bench,omitempty"`
			Stool *struct {
				Wood string `json:"wood,omitempty"`
			} `json:"stool,omitempty"`
		} `json:"seats,omitempty"`
		Extras map[string]string `json:"extras,omitempty"`
		Shape  v1.Shape          `json:"shape,omitempty"`
		Lamp   *struct {
			Bulbs []string `json:"bulbs,omitempty"`
		} `json:"lamp,omitempty"`
	} `json:"spec"`
	Status struct {
		Guests   int32         `json:"guests,omitempty"`
		Since    *metav1.Time  `json:"since,omitempty"`
		Reserved []Reservation `json:"reserved,omitempty"`
	} `json:"status"`

	// Note is not of the server.
	Note string `json:"-"`
}

// Meta is what caches need of metadata.
type Meta struct {
	Name            string            `json:"name,omitempty"`
	Namespace       string            `json:"namespace,omitempty"`
	UID             types.UID         `json:"uid,omitempty"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
}

// Bench has one field of a bench.
type Bench struct {
	Width int32 `json:"width"`
}

// Reservation has the fields of a reservation, one of them inlined.
type Reservation struct {
	Names `json:",inline"`
	At    metav1.Time `json:"at"`
}

// Names is inlined.
type Names struct {
	Name string `json:"name"`
}

// TableRoom is another view of the same kind, with a list that is declared, and without protobuf.
// +listwatch:view=github.com/listwatch/listwatch/testdata/apis/view/cafe/v1.Table
type TableRoom struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Room string `json:"room"`
	} `json:"spec"`
}

// TableRoomList is a list of TableRoom objects.
// +kubebuilder:object:root=true
type TableRoomList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TableRoom `json:"items"`
}

// WaiterShift is a view of a kind that is cluster-scoped and has no numbers.
// +listwatch:view=github.com/listwatch/listwatch/testdata/apis/view/cafe/v1.Waiter
type WaiterShift struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Shift             string `json:"shift,omitempty"`
}

// Book is a view of a kind that has no client here.
// +listwatch:view=github.com/listwatch/listwatch/testdata/apis/one-group/library/v1.Book
type Book struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        metav1.ObjectMeta `json:"metadata"`
}
