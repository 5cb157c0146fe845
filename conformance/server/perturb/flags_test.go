package perturb_test

import (
	"flag"
	"os"
)

var (
	schedules = flag.Int("corpus.schedules", 20, "how many schedules TestCorpus runs of each mended controller; 0 is all")
	update    = flag.Bool("corpus.update", os.Getenv("LISTWATCH_UPDATE") != "", "let TestCorpus write docs/perturb.md")
)
