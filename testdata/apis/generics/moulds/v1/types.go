package v1

// Cast is made of the generic base.
//
// +genclient
type Cast struct {
	Object[CastSpec, CastStatus] `json:",inline"`
}

// CastSpec is what is wanted.
type CastSpec struct {
	Metals []string `json:"metals"`
}

// CastStatus is what is there.
type CastStatus struct {
	Cold bool `json:"cold"`
}

// CastList is a page of them.
type CastList struct {
	List[Cast] `json:",inline"`
}
