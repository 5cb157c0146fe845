package behaviour_test

const (
	logged  = "the text of a log line differs"
	clearer = "the text has names instead of values"
	secret  = "texts of ours never have contents of a file or the output of a program"
	hint    = "the text also says what to do"
	status  = "the error has the server's message and the kind of the Status; in client-go, the message can be missing"
	event   = "the error of a watch event that is an object of another kind says that it is not an event"
	over    = "once Run has returned, IsLeader is false; in client-go it stays true until another leader is seen"
	empty   = "the error of an empty response has its status code"
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

	"TestFakeDynamic/typed_objects": "the panic also has the kind",
	"TestFakeReactors/restrictions": "an invalid selector is an error of the call; in client-go it is a panic",
	"TestReflectorMetrics/provider": "the provider is called; in client-go it never is",

	"TestCredentials/config_provider":        hint,
	"TestCredentials/exec_another_kind":      secret,
	"TestCredentials/exec_bad_certificate":   secret,
	"TestCredentials/exec_missing_path":      hint,
	"TestCredentials/exec_no_JSON":           secret,
	"TestCredentials/exec_nothing":           secret,
	"TestKubeconfigs/file_another_kind":      secret,
	"TestKubeconfigs/file_another_version":   secret,
	"TestKubeconfigs/file_broken_YAML":       secret,
	"TestKubeconfigs/file_duplicate_cluster": secret,
	"TestKubeconfigs/file_no_base64":         secret,
	"TestKubeconfigs/file_wrong_field":       secret,
	"TestKubeconfigs/modify":                 "the error of a file that is locked says so",
	"TestKubeconfigs/several_files":          secret,
	"TestKubeconfigs/user_gcp":               hint,
	"TestKubeconfigs/user_provider":          hint,
	"TestKubeconfigs/user_token-file":        "the error of a missing token file names the user",
	"TestKubeconfigs/validate":               "the error of a context without a name does not print the context",

	"TestDiscovery/forbidden":                 status,
	"TestDiscovery/forbidden,_disk":           status,
	"TestDiscovery/forbidden,_memory":         status,
	"TestDiscovery/group_forbidden":           status,
	"TestDiscovery/group_forbidden,_disk":     status,
	"TestDiscovery/group_forbidden,_memory":   status,
	"TestUntyped/dynamic_200-broken":          "an object that breaks off is io.ErrUnexpectedEOF",
	"TestUntyped/dynamic_200-list":            event,
	"TestUntyped/dynamic_200-no-kind":         secret,
	"TestUntyped/dynamic_200-null":            secret,
	"TestUntyped/dynamic_200-short":           event,
	"TestUntyped/dynamic_200-unknown-kind":    event,
	"TestUntyped/dynamic_200-watch-error":     secret,
	"TestUntyped/dynamic_200-watch-other":     secret,
	"TestUntyped/metadata_200-broken":         "an object that breaks off is io.ErrUnexpectedEOF",
	"TestUntyped/metadata_200-empty":          empty,
	"TestUntyped/metadata_200-list":           secret,
	"TestUntyped/metadata_200-no-kind":        secret,
	"TestUntyped/metadata_200-null":           secret,
	"TestUntyped/metadata_200-status-success": "a Status of success in place of an object is accepted",
	"TestUntyped/metadata_200-watch-broken":   "events of full objects are accepted, as full objects in other responses are",
	"TestUntyped/metadata_200-watch-error":    secret,
	"TestUntyped/metadata_200-watch-other":    secret,
	"TestUntyped/metadata_204-empty":          empty,
	"TestUntyped/scale":                       "the error of a scale of another kind names the kinds",

	"TestElection/after_another": over,
	"TestElection/alone":         over,
	"TestElection/conflict":      over,
	"TestElection/lost":          over,
	"TestElection/locks":         "one of client-go's texts is not like the others",
	"TestFeatures/gates":         "the panic does not have the place in the source where the gates were created",

	"TestDeltas/order":              "as in a RealFIFO, the deletion of an unknown object is queued, and objects come in the order of the list",
	"TestTypedResponses/200-broken": "an object that breaks off is io.ErrUnexpectedEOF",

	"TestTypedResponses/requests": "the text for applying nil is the one of client-go's fakes, for all clients",
}
