package cache_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
)

var (
	modelOps  = flag.Int("model.ops", 20_000, "operations of TestModel")
	modelSeed = flag.Uint64("model.seed", 0, "run the sequence of this seed only, which a failure names")
	modelRaw  = flag.Bool("model.raw", false, "do not look for a shorter sequence that fails")
	modelKeep = flag.String("model.keep", "", "with -model.seed: the operations to keep, which a failure names")
)

// modelLength is how many operations a sequence has.
const modelLength = 250

// TestModel does random sequences of operations to a server and to an informer of it, and
// holds the informer and its handlers to the contract: each handler is told, of each
// object, of some of its states in their order, the last among them; nothing comes of
// objects that are not there and no deletion is lost; nobody says that it has synced
// before it was told of all that was there at first; what arrives first is told first.
//
// A failure names a seed, and the few operations that are enough for it: with
// -model.seed and -model.keep it is run again. The long mode is
//
//	go test -race -run 'TestModel$' -timeout 1h ./runtime/cache -model.ops=1000000
func TestModel(t *testing.T) {
	if *modelSeed != 0 {
		config, ops := drawWorld(*modelSeed, modelLength)
		if *modelKeep != "" {
			ops = pick(ops, parseInts(t, *modelKeep))
		}
		if err := runModelIn(t, config, ops); err != nil {
			t.Fatalf("%+v\n%s\n%v", config, printOps(ops, nil), err)
		}
		return
	}
	for seed := range uint64(max(1, *modelOps/modelLength)) {
		config, ops := drawWorld(seed+1, modelLength)
		if err := runModelIn(t, config, ops); err != nil {
			if *modelRaw {
				t.Fatalf("%v\n\n-model.seed=%d\n%+v", err, config.seed, config)
			}
			kept, shrunk := shrink(len(ops), func(kept []int) error { return runModelIn(t, config, pick(ops, kept)) }, err)
			t.Fatalf("%v\n\n-model.seed=%d -model.keep=%s\n%+v\n%s", shrunk, config.seed, printInts(kept), config, printOps(ops, kept))
		}
	}
}

// runModelIn runs a sequence in a bubble. What is left of goroutines at its end makes the
// bubble panic, which is an error like others.
func runModelIn(t *testing.T, config worldConfig, ops []op) (err error) {
	t.Helper()
	defer func() {
		if cause := recover(); cause != nil {
			err = errors.Join(err, fmt.Errorf("%v", cause))
		}
	}()
	synctest.Test(t, func(*testing.T) { err = runModel(config, ops) })
	return err
}

// shrink finds few of n operations that still fail, and how. It takes fails, which runs
// some of them, for decided after a few runs: what goes wrong may need a certain order of
// goroutines.
func shrink(n int, fails func(kept []int) error, err error) ([]int, error) {
	kept := make([]int, n)
	for i := range kept {
		kept[i] = i
	}
	for size := n / 2; size > 0; {
		smaller := false
		for from := 0; from < len(kept); {
			without := slices.Delete(slices.Clone(kept), from, min(from+size, len(kept)))
			if e := failsOnce(without, fails); e != nil {
				kept, err, smaller = without, e, true
			} else {
				from += size
			}
		}
		if !smaller {
			size /= 2
		}
	}
	return kept, err
}

func failsOnce(kept []int, fails func(kept []int) error) error {
	for range 3 {
		if err := fails(kept); err != nil {
			return err
		}
	}
	return nil
}

// pick returns the operations that are kept.
func pick[T any](ops []T, kept []int) []T {
	some := make([]T, len(kept))
	for i, at := range kept {
		some[i] = ops[at]
	}
	return some
}

func printOps[T any](ops []T, kept []int) string {
	var b strings.Builder
	for i, o := range ops {
		if kept == nil || slices.Contains(kept, i) {
			fmt.Fprintf(&b, "%4d %v\n", i, o)
		}
	}
	return b.String()
}

func printInts(ints []int) string {
	var parts []string
	for _, i := range ints {
		parts = append(parts, strconv.Itoa(i))
	}
	return strings.Join(parts, ",")
}

func parseInts(t *testing.T, s string) (ints []int) {
	t.Helper()
	for part := range strings.SplitSeq(s, ",") {
		i, err := strconv.Atoi(part)
		if err != nil {
			t.Fatal(err)
		}
		ints = append(ints, i)
	}
	return ints
}
