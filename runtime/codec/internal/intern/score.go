package intern

// Score tells whether what a stream shows at one place comes again. The zero value is that of a place not seen yet.
type Score struct {
	value  int8
	passed uint8 // values that were not looked up, modulo 256
}

// Scores are in this range. Below poor, only a sample of the values is looked up. Of strings, it is chosen by their
// hashes: a string that comes again is in it each time, or never.
const (
	lowest, highest = -32, 32
	poor            = -16
	sampled         = 15 << 20 // bits of the hash that are 0 in the sample
	every           = 16       // one of so many is in the sample
)

// Worth reports whether a value with that hash is to be looked up.
func (s *Score) Worth(hash uint64) bool { return s.value >= poor || hash&sampled == 0 }

// Due is Worth for a value that has no hash yet.
func (s *Score) Due() bool {
	if s.value >= poor {
		return true
	}
	s.passed++
	return s.passed%every == 0
}

// Count adds a value that was looked up to the score.
func (s *Score) Count(came bool) {
	if came {
		s.value = min(s.value+1, highest)
	} else {
		s.value = max(s.value-1, lowest)
	}
}
