package shards

import (
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Key is what objects are distributed by. The values are those of Kubernetes' shard selectors (KEP-5866).
type Key string

const (
	// ByUID distributes each object separately.
	ByUID Key = "object.metadata.uid"
	// ByNamespace keeps the objects of a namespace together, and so owners and what they own. The hash hardly distinguishes
	// names by their last two characters: 1,000 namespaces team-0 to team-999 are in 10 of 64 slots, and those
	// named 0-team to 999-team are in all.
	ByNamespace Key = "object.metadata.namespace"
)

// slotOf returns the slot of a value of the key: the first bits of its FNV-1a hash.
func slotOf(value string, slots int) int {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(value))                                   // never fails
	return int(hash.Sum64() >> (64 - bits.TrailingZeros(uint(slots)))) // a shift by 64 is 0
}

// selector returns the shard selector of some slots, in ascending order, with neighbours in one range. It is empty for
// all slots; without slots there is none.
func selector(key Key, of []int, slots int) string {
	if len(of) == slots {
		return ""
	}
	var ranges []string
	for from, to := range runs(of) {
		ranges = append(ranges, fmt.Sprintf("shardRange(%s, '%s', '%s')", key, bound(from, slots), bound(to+1, slots)))
	}
	return strings.Join(ranges, " || ")
}

// bound returns the first hash of a slot, in the form of shard selectors.
func bound(slot, slots int) string {
	if slot == slots {
		return "0x10000000000000000"
	}
	return fmt.Sprintf("0x%016x", uint64(slot)<<(64-bits.TrailingZeros(uint(slots))))
}

// runs iterates over the first and last slots of runs of neighbours.
func runs(of []int) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(of); {
			j := i
			for j+1 < len(of) && of[j+1] == of[j]+1 {
				j++
			}
			if !yield(of[i], of[j]) {
				return
			}
			i = j + 1
		}
	}
}

// slotSet is some slots, in ascending order. Its text is like "0-3,7".
type slotSet []int

// MarshalText implements [encoding.TextMarshaler].
func (s slotSet) MarshalText() ([]byte, error) {
	var text []string
	for from, to := range runs(s) {
		if from == to {
			text = append(text, strconv.Itoa(from))
		} else {
			text = append(text, fmt.Sprintf("%d-%d", from, to))
		}
	}
	return []byte(strings.Join(text, ",")), nil
}

// maxSlots is how many slots a ring has at most: assignments are annotations.
const maxSlots = 4096

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *slotSet) UnmarshalText(text []byte) error {
	*s = nil
	if len(text) == 0 {
		return nil
	}
	for part := range strings.SplitSeq(string(text), ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 0 || to < from || to >= maxSlots || len(*s) > 0 && from <= (*s)[len(*s)-1] {
			return fmt.Errorf("invalid slots %q", text)
		}
		for slot := from; slot <= to; slot++ {
			*s = append(*s, slot)
		}
	}
	return nil
}

func (s slotSet) has(slot int) bool {
	_, found := slices.BinarySearch(s, slot)
	return found
}
