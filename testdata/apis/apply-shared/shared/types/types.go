package types

// Door is part of buildings.
type Door struct {
	Width int32 `json:"width"`
	Room  struct {
		Name string `json:"name"`
		Size int32  `json:"size"`
	} `json:"room,omitempty"`
	Locked bool `json:"locked,omitempty"`
}
