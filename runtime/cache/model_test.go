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

// modelLength is the number of operations in a sequence.
const modelLength = 250

// TestModel performs random sequences of operations on a server and on an informer of it, and
// checks the informer and its handlers against the contract: each handler receives, for each
// object, some of its states in order, the last among them; there are no events of objects that do
// not exist, and no deletion is lost; nothing reports that it has synced before it has received all
// initial objects; events are delivered in order of arrival.
//
// A failure prints a seed, and the few operations that suffice for it: -model.seed and -model.keep
// run it again. The long mode is
//
//	go test -race -run 'TestModel$' -timeout 1h ./runtime/cache -model.ops=1000000
func TestModel(t *testing.T) { testModel(t, false) }

// TestModelPacked is TestModel with informers whose objects are packed, and of which few stay decoded.
func TestModelPacked(t *testing.T) { testModel(t, true) }

func testModel(t *testing.T, packed bool) {
	t.Helper()
	if *modelSeed != 0 {
		config, ops := drawWorld(*modelSeed, modelLength)
		config.packed = packed
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
		config.packed = packed
		if err := runModelIn(t, config, ops); err != nil {
			if *modelRaw {
				t.Fatalf("%v\n\n-model.seed=%d\n%+v", err, config.seed, config)
			}
			kept, shrunk := shrink(len(ops), func(kept []int) error { return runModelIn(t, config, pick(ops, kept)) }, err)
			t.Fatalf("%v\n\n-model.seed=%d -model.keep=%s\n%+v\n%s", shrunk, config.seed, printInts(kept), config, printOps(ops, kept))
		}
	}
}

// runModelIn runs a sequence in a bubble. Goroutines that are left at its end make the bubble
// panic, which is returned as an error.
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

// shrink finds few of n operations that still fail, and their failure. It considers the result of
// fails, which runs some of them, decided after a few runs: a failure may need a certain order of
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

// pick returns the operations with the indexes in kept.
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
