package intern

// Level is how much a stream remembers of contents.
type Level uint8

// None, Short for few strings that are short, or All.
const (
	None Level = iota
	Short
	All
)

const (
	longestString = 128
	mostStrings   = 4096

	longestShort = 64
	mostShort    = 256
)

// limits are, by level, the length of the longest strings that are remembered, and how many are at most.
var limits = [...]struct{ longest, most int }{None: {}, Short: {longestShort, mostShort}, All: {longestString, mostStrings}}
