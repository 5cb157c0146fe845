package behaviour_test

const (
	logged  = "the text of a log line differs"
	clearer = "the text has names instead of values"
)

// differences are the cases that differ, with the reasons.
var differences = map[string]string{
	"TestRestConnections/deadline": "a request that waits for a response when its deadline passes is not tried again; the error is the first one, with the URL",

	"TestInformerCalls/canceled_before":              "an informer whose context has ended before it runs does not list",
	"TestInformerCalls/names_in_errors":              clearer,
	"TestInformerCalls/transform_fails":              "the error also names the object and the function",
	"TestInformerCalls/waiting":                      "the log lines of caches that do not sync also have the functions that were not true",
	"TestInformerSources/event_of_another_type,_log": logged,
	"TestInformerSources/event_of_unknown_type,_log": logged,
	"TestInformerSources/event_without_version":      "an event without a resource version leaves the last one as it is; in client-go, the next watch begins anywhere",
	"TestInformerSources/list_of_another_type":       "the error names the type",
	"TestInformerSources/list_of_another_type,_log":  "the error names the type",
	"TestInformerSources/list_twice_the_same":        "an object that a list has twice is added once",
	"TestInformerSources/stream_broken_off":          "after a WatchList that broke off comes an ordinary list",
}
