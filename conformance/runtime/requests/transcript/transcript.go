// Package transcript is the format in which the driver program reports to the test: a list of
// calls, each with all its effects.
package transcript

// Call is one call of one method, or one step of a scenario.
type Call struct {
	// Name identifies the call, such as "client AppsV1.Deployments.Create full". It is unique in a
	// transcript.
	Name string
	// Requests are the requests that reached the HTTP server.
	Requests []Request `json:",omitempty"`
	// Actions are the actions that the fake clientset recorded.
	Actions []Action `json:",omitempty"`
	// Events are the events that handlers or a watch received, in order.
	Events []string `json:",omitempty"`
	// Result is the result of the call, in JSON; empty if it is only an error.
	Result string `json:",omitempty"`
	// Error is the text of the error that the call returned.
	Error string `json:",omitempty"`
	// Failure contains everything else that is known about the error, such as its Status.
	Failure string `json:",omitempty"`
}

// Request is an HTTP request, as received by the server.
type Request struct {
	Method string
	Path   string
	// Query has the order in which it was sent.
	Query string
	// Header contains all headers.
	Header map[string]string
	// Body is quoted as in Go if it is not text.
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
	// Selectors are the selectors of a list or a watch.
	Selectors string `json:",omitempty"`
	// Detail is the whole action in JSON: name, options, object, patch.
	Detail string
}
