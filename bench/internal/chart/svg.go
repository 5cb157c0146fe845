package chart

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

// The size of an image, and of its margins: above for the title, right for the names of curves.
const (
	width, height            = 460, 300
	left, right, top, bottom = 62, 96, 56, 46
	// line is the distance of lines of text.
	line = 13
)

// style is the style of all images. The first curve is blue, the second one orange, the others as many as
// needed from these.
const style = `<style>
.page{fill:#ffffff;stroke:#d1d9e0}
text{font:11px -apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#59636e}
.title{font-size:14px;font-weight:600;fill:#1f2328}
.grid{stroke:#e4e8ec}
.linear{stroke:#818b98;stroke-dasharray:1 4;stroke-linecap:round}
.curve{fill:none;stroke-width:2;stroke-linejoin:round}
.name{font-weight:600}
.c0{stroke:#0969da}.d0{fill:#0969da}
.c1{stroke:#bc4c00}.d1{fill:#bc4c00}
.c2{stroke:#1a7f37}.d2{fill:#1a7f37}
.c3{stroke:#8250df}.d3{fill:#8250df}
.c4{stroke:#cf222e}.d4{fill:#cf222e}
@media (prefers-color-scheme:dark){
.page{fill:#0d1117;stroke:#3d444d}
text{fill:#9198a1}
.title{fill:#f0f6fc}
.grid{stroke:#262c36}
.linear{stroke:#9198a1}
.c0{stroke:#58a6ff}.d0{fill:#58a6ff}
.c1{stroke:#f0883e}.d1{fill:#f0883e}
.c2{stroke:#3fb950}.d2{fill:#3fb950}
.c3{stroke:#bc8cff}.d3{fill:#bc8cff}
.c4{stroke:#ff7b72}.d4{fill:#ff7b72}
}
</style>
`

// colors is their number.
const colors = 5

// SVG returns the image. It is the same for equal charts.
func (c Chart) SVG() string {
	x, y := c.axes()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`+"\n",
		width, height, width, height, escaped(c.Title+", "+c.Y+", by "+c.X))
	b.WriteString(style)
	fmt.Fprintf(&b, `<rect class="page" x="0.5" y="0.5" width="%d" height="%d" rx="6"/>`+"\n", width-1, height-1)
	write(&b, "title", "start", 14, 24, c.Title)
	write(&b, "", "start", 14, 24+line+4, c.Y)
	for _, v := range x.marks() {
		at := x.place(v)
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>`+"\n", at, top, at, height-bottom)
		write(&b, "", "middle", at, height-bottom+line+3, label(v))
	}
	for _, v := range y.marks() {
		at := y.place(v)
		fmt.Fprintf(&b, `<line class="grid" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/>`+"\n", left, at, width-right, at)
		write(&b, "", "end", left-6, at+4, label(v))
	}
	write(&b, "", "middle", (left+width-right)/2, height-10, c.X)
	c.writeLinear(&b, x, y)
	for i, curve := range slices.Backward(c.Curves) {
		writeCurve(&b, i%colors, curve, x, y)
	}
	for _, n := range c.names(x, y) {
		write(&b, fmt.Sprintf("name d%d", n.color), "start", n.x, n.y, n.text)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// axes returns axes for all points.
func (c Chart) axes() (x, y axis) {
	var xs, ys []float64
	for _, curve := range c.Curves {
		for _, p := range curve.Points {
			xs, ys = append(xs, p.X), append(ys, p.Y)
		}
	}
	return newAxis(xs, left, width-right), newAxis(ys, height-bottom, top)
}

// writeLinear draws what grows linearly from the first point on, as far as it is in the picture.
func (c Chart) writeLinear(b *strings.Builder, x, y axis) {
	first := c.Curves[0].Points[0]
	most := min(x.most, first.X*y.most/first.Y)
	fmt.Fprintf(b, `<line class="linear" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n",
		x.place(first.X), y.place(first.Y), x.place(most), y.place(first.Y*most/first.X))
}

func writeCurve(b *strings.Builder, color int, c Curve, x, y axis) {
	var places []string
	for _, p := range c.Points {
		places = append(places, fmt.Sprintf("%.1f,%.1f", x.place(p.X), y.place(p.Y)))
	}
	fmt.Fprintf(b, `<polyline class="curve c%d" points="%s"/>`+"\n", color, strings.Join(places, " "))
	for _, p := range c.Points {
		fmt.Fprintf(b, `<circle class="d%d" cx="%.1f" cy="%.1f" r="2.5"/>`+"\n", color, x.place(p.X), y.place(p.Y))
	}
}

// name is the name of a curve in the image.
type name struct {
	text  string
	color int
	x, y  float64
}

// names returns the names of the curves, at their ends but not one over the other.
func (c Chart) names(x, y axis) []name {
	var all []name
	for i, curve := range c.Curves {
		end := curve.Points[len(curve.Points)-1]
		all = append(all, name{curve.Name, i % colors, x.place(end.X) + 8, y.place(end.Y) + 4})
	}
	slices.SortStableFunc(all, func(a, b name) int { return cmp.Compare(a.y, b.y) })
	for i := range all {
		if i > 0 {
			all[i].y = max(all[i].y, all[i-1].y+line)
		}
	}
	for i, n := range slices.Backward(all) { // those that are too low move up again
		limit := float64(height-bottom) - float64(len(all)-1-i)*line
		all[i].y = min(n.y, limit)
	}
	return all
}

// write writes a text. Its y is that of the baseline.
func write[X, Y int | float64](b *strings.Builder, class, anchor string, x X, y Y, text string) {
	if class != "" {
		class = fmt.Sprintf(` class="%s"`, class)
	}
	fmt.Fprintf(b, `<text%s text-anchor="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, anchor, float64(x), float64(y), escaped(text))
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder has no errors
	return b.String()
}
