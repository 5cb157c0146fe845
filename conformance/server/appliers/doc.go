// Package appliers runs programs that apply manifests, helm, flux and argo, on the real API server and on apitest, and
// compares what they print and the objects that they leave.
//
// # Programs
//
// Each program has its requirements in a file of its own, testdata/NAME.mod, since they need other libraries than the
// servers that other tests link. helm is the program of its module. testdata/flux and testdata/argo are programs around the
// libraries of Flux and Argo CD that apply, prune and wait: github.com/fluxcd/pkg/ssa, and gitops-engine.
//
// # Scripts
//
// A script is a file testdata/script/NAME.txtar in the language of package testscript, with these commands:
//
//	helm ARGUMENTS                 runs the program, as do flux and argo, whatever its exit code
//	show RESOURCE[/NAME]           prints objects, with their managed fields
//	patch RESOURCE/NAME PATCH      changes an object by a merge patch as another client, "someone"
//	apply RESOURCE/NAME OBJECT     applies as "someone"
//	remove RESOURCE/NAME           deletes an object
//	finish JOB complete|failed     makes a job end, as long as the next program runs
//	ready DEPLOYMENT               makes a deployment ready, as long as the next program runs
//	collect RESOURCE[/NAME]...     ends deletions in the foreground, as long as the next program runs
//
// A resource is GROUP/VERSION/PLURAL, or VERSION/PLURAL, and has "cluster:" before it if it has no namespaces. What commands
// print is added to the file transcript, which the script compares with the file want. In both, and in the files of a script,
// ${ns} is its namespace. What depends on the run is replaced.
//
// The tests have the tag programs, since they download and compile the programs; "make appliers" runs them. The file want is
// recorded from the real server only:
//
//	LISTWATCH_UPDATE=1 go test -tags programs ./server/appliers -run TestKube
//
// # Limits
//
// Neither server has controllers, so the scripts write the statuses of deployments and jobs, and do what the garbage
// collector does for an object without dependents. Argo's library requires kubectl v0.36; the libraries besides are those
// of v0.37.
package appliers
