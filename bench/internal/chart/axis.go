package chart

import (
	"math"
	"strconv"
)

// axis is a logarithmic axis between two powers of ten, or parts of them, drawn between two places.
type axis struct {
	least, most float64 // the values at its ends
	from, to    float64 // their places in the image
}

// steps are the marked values of a decade: few if there are many decades.
func (a axis) steps() []float64 {
	if a.most/a.least > 90 {
		return []float64{1}
	}
	return []float64{1, 2, 5}
}

// newAxis returns an axis that contains all values, and ends at marked ones.
func newAxis(values []float64, from, to float64) axis {
	a := axis{least: math.Inf(1), from: from, to: to}
	for _, v := range values {
		a.least, a.most = min(a.least, v), max(a.most, v)
	}
	marks := a.steps()
	a.least, a.most = below(a.least, marks), above(a.most, marks)
	if a.least == a.most {
		a.most *= 10
	}
	return a
}

// below returns the largest value that is marked and at most v.
func below(v float64, steps []float64) float64 {
	decade := power(v)
	found := decade
	for _, s := range steps {
		if s*decade <= v*(1+rounding) {
			found = s * decade
		}
	}
	return found
}

// above returns the smallest value that is marked and at least v.
func above(v float64, steps []float64) float64 {
	decade := power(v)
	for _, s := range steps {
		if s*decade >= v*(1-rounding) {
			return s * decade
		}
	}
	return 10 * decade
}

// rounding is by how much values may differ that are considered equal.
const rounding = 1e-9

// power returns the largest power of ten that is at most v.
func power(v float64) float64 { return math.Pow(10, math.Floor(math.Log10(v*(1+rounding)))) }

// marks are the values with a line and a label.
func (a axis) marks() []float64 {
	var all []float64
	steps := a.steps()
	for decade := power(a.least); decade <= a.most*(1+rounding); decade *= 10 {
		for _, s := range steps {
			if v := s * decade; v >= a.least*(1-rounding) && v <= a.most*(1+rounding) {
				all = append(all, v)
			}
		}
	}
	return all
}

// place returns where a value is in the image.
func (a axis) place(v float64) float64 {
	return a.from + (a.to-a.from)*math.Log(v/a.least)/math.Log(a.most/a.least)
}

// label prints a marked value: 0.02, 5, 1,000, 2 million.
func label(v float64) string {
	if v >= 999_999 {
		return strconv.FormatFloat(v/1e6, 'g', 4, 64) + " million"
	}
	text := strconv.FormatFloat(v, 'g', 6, 64)
	if v < 1 {
		text = strconv.FormatFloat(v, 'f', max(0, int(-math.Floor(math.Log10(v)+rounding))), 64)
	}
	if len(text) > 3 && v >= 1_000 {
		text = text[:len(text)-3] + "," + text[len(text)-3:]
	}
	return text
}
