package types

// Board is part of doors.
type Board struct {
	Length int64 `json:"length"`
}

// Door is part of buildings.
type Door struct {
	Width int32 `json:"width"`
	Room  struct {
		Name string `json:"name"`
		Size int32  `json:"size"`
	} `json:"room,omitempty"`
	Hinges []*int32 `json:"hinges,omitempty"`
	Boards *[]Board `json:"boards,omitempty"`
	Beams  *[]Board `json:"beams,omitempty"`
	Panels []*Board `json:"panels,omitempty"`
	Locked bool     `json:"locked,omitempty"`
}
