// Package kubectl runs kubectl on the real API server and on apitest, and compares what it prints, and the OpenAPI
// documents that it reads.
//
// # Cases
//
// A case is a script, a file testdata/NAME.case in the form of txtar: first its commands, then files for them.
//
//	$ apply -f pod.yaml        runs kubectl with these arguments,
//	& get pods --watch         or in the background, until it prints something,
//	join                       and waits for the oldest command in the background
//	    pod/web created        what it prints on the real server, on both outputs
//	    [1]                    and its exit code, if it is not 0
//	differs apitest: reason    apitest prints something else, which follows
//
// Each case has its own namespace, ${ns}, and its own directory, in which the files are. Names of files are
// replaced by their paths, and the file after "<" is read as input. The file "editor" is the editor. What depends
// on the run, such as times, UIDs, versions and addresses, is replaced, and more than one space is two.
//
// # Recording
//
// What commands print is recorded from the real server only, and below the lines "differs" from apitest:
//
//	go test -tags kube ./server/kubectl -run TestKube -record
//	go test ./server/kubectl -run TestApitest -record
//
// # Limits
//
// Commands run in this process, one at a time. "auth can-i" with the answer no cannot be a command, because it ends
// the process, and neither server has controllers, nodes or running pods.
package kubectl
