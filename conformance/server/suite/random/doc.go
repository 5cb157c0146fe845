// Package random compares random writes of built-in kinds on kube-apiserver and apitest.
//
// The objects of testdata are created on both servers. A trial changes one of them at random: it removes a field, sets one,
// repeats an item, or takes a number out of its range. What it sets are values that fields of the same Go type have in the
// cases of the suite, or values that any field of such a type could have. The result is written with dryRun=All, as a
// new object, as an update or as an update of the status, so trials do not depend on each other. Both responses must be
// equal: the code, the error with all its causes, warnings, and the object with its defaults.
//
//	go test -tags kube,trials ./server/suite/random -run TestServer -random.trials=5000 -random.seed=7
//
// Differences are printed once for each text, with the first trial that has it; -random.only=1234 repeats this trial.
//
// Limits: names, addresses and ports that servers choose are not compared, nor is what apitest warns about itself. Two
// servers that panic are equal: kube-apiserver does so for some writes, such as a job with indexes and a policy for success
// that has no completions.
package random
