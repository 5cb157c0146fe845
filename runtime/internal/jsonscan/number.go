package jsonscan

import (
	"math"
	"strconv"
)

// Number returns the position after the number at i.
func Number(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b):
		return Bad
	case b[i] == '0':
		i++
	case b[i]-'1' < 9:
		i = digits(b, i)
	default:
		return Bad
	}
	if i < len(b) && b[i] == '.' {
		n := digits(b, i+1)
		if n == i+1 {
			return Bad
		}
		i = n
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		n := digits(b, i)
		if n == i {
			return Bad
		}
		i = n
	}
	return i
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// Integer parses the number at i, a whole one. It refuses others, those beyond math.MaxInt64 on either side of 0, and -0,
// which is a number to signed types only.
func Integer(b []byte, i int) (int64, int) {
	negative := i < len(b) && b[i] == '-'
	if negative {
		i++
	}
	start := i
	var n uint64
	for i < len(b) && b[i]-'0' <= 9 {
		n = n*10 + uint64(b[i]-'0')
		i++
	}
	// 19 digits always fit into 64 bits.
	if i == start || i-start > 19 || n > math.MaxInt64 || b[start] == '0' && i > start+1 || i < len(b) && (b[i] == '.' || b[i]|0x20 == 'e') {
		return 0, Bad
	}
	if negative {
		if n == 0 {
			return 0, Bad
		}
		return -int64(n), i
	}
	return int64(n), i
}

var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// Float parses the number at i for a type of that many bits. It refuses numbers that are out of range.
func Float(b []byte, i, bits int) (float64, int) {
	end := Number(b, i)
	if end < 0 {
		return 0, Bad
	}
	if f, ok := short(b[i:end]); ok && bits == 64 {
		return f, end
	}
	f, err := strconv.ParseFloat(string(b[i:end]), bits)
	if err != nil {
		return 0, Bad
	}
	return f, end
}

// short returns the value of a positive number of at most 15 digits without an exponent, which one division
// computes exactly.
func short(s []byte) (float64, bool) {
	if len(s) > 16 {
		return 0, false
	}
	var n int64
	dot := len(s) - 1
	for k, c := range s {
		switch {
		case c == '.':
			dot = k
		case c-'0' <= 9:
			n = n*10 + int64(c-'0')
		default:
			return 0, false
		}
	}
	if dot == len(s)-1 && len(s) == 16 {
		return 0, false
	}
	return float64(n) / powers[len(s)-1-dot], true
}
