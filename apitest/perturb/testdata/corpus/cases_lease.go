package corpus

// leaseBugs show if the process loses its lease.
var leaseBugs = []Case{
	{
		Name:   "work goes on after the lease is lost",
		Users:  []Step{ask("a"), ask("b")},
		Wrong:  process(createAll).led(Beyond),
		Mended: process(createAll).led(Term),
	},
}
