// Package chart draws curves over two logarithmic axes.
//
// A [Chart] has a title, two [Axis] and some [Curve]; [Chart.SVG] returns it as an image, which depends on
// nothing else. Each curve has its name at its end, in its color, instead of a legend, and a dotted line through
// the first point of the first curve shows what grows linearly. The image has its own background, light or dark as
// its reader prefers, so that it is readable on any page.
//
// On logarithmic axes, a cost that grows with the power k of its cause is a straight line of slope k: see
// [Curve.Exponent].
//
// All figures must be positive. There is no other kind of axis or chart.
package chart

import (
	"math"
	"slices"
)

// Chart is a picture of curves.
type Chart struct {
	// Title is the heading, Y the quantity and unit of the vertical axis, which is printed below it.
	Title, Y string
	// X is the quantity of the horizontal axis.
	X string
	// Curves are drawn in the same order, the first in the strongest color and above the others.
	Curves []Curve
}

// Curve is a line through points.
type Curve struct {
	// Name is printed at the last point.
	Name string
	// Points are sorted by X, which differ. A curve has at least one.
	Points []Point
}

// Point is a measured cost.
type Point struct{ X, Y float64 }

// Exponent returns the power of X with which Y grows: the slope of the line that fits the points best if both
// axes are logarithmic. It is NaN for fewer than two points.
func (c Curve) Exponent() float64 {
	if len(c.Points) < 2 {
		return math.NaN()
	}
	var x, y float64 // means
	for _, p := range c.Points {
		x += math.Log(p.X) / float64(len(c.Points))
		y += math.Log(p.Y) / float64(len(c.Points))
	}
	var xy, xx float64
	for _, p := range c.Points {
		dx := math.Log(p.X) - x
		xy += dx * (math.Log(p.Y) - y)
		xx += dx * dx
	}
	return xy / xx
}

// From returns the part of the curve from some X on.
func (c Curve) From(x float64) Curve {
	first := slices.IndexFunc(c.Points, func(p Point) bool { return p.X >= x })
	if first < 0 {
		first = len(c.Points)
	}
	c.Points = c.Points[first:]
	return c
}
