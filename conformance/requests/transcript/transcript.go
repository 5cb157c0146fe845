// Package transcript is what the driver program writes down and the test reads:
// a list of calls, each with all that it made happen.
package transcript

// Call is one call of one method, or one step of a scenario.
type Call struct {
	// Name says what was called and how, such as
	// "client AppsV1.Deployments.Create full". It is unique in a transcript.
	Name string
	// Requests are what reached the HTTP server.
	Requests []Request `json:",omitempty"`
	// Actions are what the fake clientset recorded.
	Actions []Action `json:",omitempty"`
	// Events are what handlers or a watch were told, in order.
	Events []string `json:",omitempty"`
	// Result is what the call returned, in JSON; empty where it is only an error.
	Result string `json:",omitempty"`
	// Error is the text of the error that the call returned.
	Error string `json:",omitempty"`
	// Failure is what else can be known of that error, such as the Status that it
	// holds.
	Failure string `json:",omitempty"`
}

// Request is one HTTP request, as the server saw it.
type Request struct {
	Method string
	Path   string
	// Query is in the order in which it was sent.
	Query string
	// Header holds all headers.
	Header map[string]string
	// Body is quoted as in Go where it is not text.
	Body string `json:",omitempty"`
}

// Action is one action of a fake clientset.
type Action struct {
	// Type is the name of the action's Go type, without its package.
	Type                     string
	Verb                     string
	Group, Version, Resource string
	Subresource              string `json:",omitempty"`
	Namespace                string `json:",omitempty"`
	// Selectors are those of a list or a watch.
	Selectors string `json:",omitempty"`
	// Detail is the whole action in JSON: name, options, object, patch.
	Detail string
}
