package behaviour_test

// differences are the cases that differ, with the reasons.
var differences = map[string]string{
	"TestRestConnections/deadline": "a request that waits for a response when its deadline passes is not tried again; the error is the first one, with the URL",
}
