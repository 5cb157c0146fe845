package common

// Health is embedded for its status.
type Health struct {
	Status Status `json:"status,omitempty"`
}

// Status is what is there.
type Status struct {
	Healthy bool `json:"healthy"`
}
