package crds

// Options are the options that controller-gen's generator and gen-crd have in common. The zero value has
// the defaults of both.
type Options struct {
	// MaxDescLen is the longest description, in bytes; nil means unlimited, and 0 no descriptions.
	MaxDescLen *int `json:",omitempty"`
	// AllowDangerousTypes accepts floating point numbers.
	AllowDangerousTypes bool `json:",omitempty"`
	// IgnoreUnexportedFields skips unexported fields.
	IgnoreUnexportedFields bool `json:",omitempty"`
	// GenerateEmbeddedObjectMeta writes the fields of metadata in embedded objects.
	GenerateEmbeddedObjectMeta bool `json:",omitempty"`
}
