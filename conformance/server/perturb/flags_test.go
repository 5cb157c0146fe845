package perturb_test

import (
	"flag"
	"os"
)

var (
	limit  = flag.Int("programs.schedules", 0, "how many schedules TestPrograms runs of each program; 0 is all")
	update = flag.Bool("corpus.all", os.Getenv("LISTWATCH_UPDATE") != "", "let TestCorpus run all schedules of mended controllers")
)
