package election

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

var rounds = flag.Int("rounds", 20, "how often to disturb a leader")

func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv(replicaVariable); ok {
		if err := runReplica(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}
