// Package conversion compares what servers make of conversion webhooks that answer: rightly or wrongly.
//
// One script writes and reads a resource in two versions, between which a webhook of the test converts. The file in
// testdata has the answers of kube-apiserver; with the tag kube, the test compares it too, and with LISTWATCH_UPDATE=1
// it writes the file.
//
// Limits: kube-apiserver calls the webhook in each read from etcd, apitest once for each state of an object and version.
// What a webhook that changes its mind would show is not compared. Lists with objects that cannot be converted are in the
// suite (definitions/unconvertible): kube-apiserver lists and watches what it knows for another half minute, apitest does not.
package conversion
