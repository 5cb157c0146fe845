// Package types compares the warnings in status.typeChecking of ValidatingAdmissionPolicies.
//
// In a cluster, kube-controller-manager writes them, which is not part of the real API server that tests start. Its type
// checker is a library, so testdata/warnings.txt has what this checker finds in the policies of testdata/policies.yaml with
// the resources and the OpenAPI documents of the real server. With the tag kube, the test compares the file with that; with
// LISTWATCH_UPDATE=1, it writes the file. On apitest, the warnings are those in the status of the policies, where
// controllers.PolicyTypes has written them.
//
// Limits: the names of types have the time of the check in them, which is removed.
package types
