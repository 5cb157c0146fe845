package debug

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"time"
)

//go:embed page.css
var pageStyle string

//go:embed page.html.tmpl
var pageTemplate string

var pageHTML = template.Must(template.New("page").Funcs(template.FuncMap{
	"ago":     ago,
	"bytes":   size,
	"exact":   exact,
	"seconds": func(s float64) string { return roughly(time.Duration(s * float64(time.Second))) },
	"style":   func() template.CSS { return template.CSS(pageStyle) },
}).Parse(pageTemplate))

// contentSecurityPolicy allows the page's own style and nothing else.
var contentSecurityPolicy = func() string {
	hash := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; frame-ancestors 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}()

func writeHTML(w io.Writer, p page) error { return pageHTML.Execute(w, p) }

// ago returns how long t is before now, or "never" if t is zero.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return roughly(now.Sub(t)) + " ago"
}

// exact returns t to the second, or nothing if it is zero.
func exact(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// roughly returns d rounded to its significant digits.
func roughly(d time.Duration) string {
	switch {
	case d < time.Second:
		d = d.Round(time.Millisecond)
	case d < 10*time.Second:
		d = d.Round(100 * time.Millisecond)
	default:
		d = d.Round(time.Second)
	}
	return d.String()
}

// size returns n bytes in a unit in which it has one to three digits before the point.
func size(n int64) string {
	const kilo, mega, giga = 1e3, 1e6, 1e9
	switch f := float64(n); {
	case n < kilo:
		return fmt.Sprintf("%d B", n)
	case n < mega:
		return fmt.Sprintf("%.1f kB", f/kilo)
	case n < giga:
		return fmt.Sprintf("%.1f MB", f/mega)
	default:
		return fmt.Sprintf("%.1f GB", f/giga)
	}
}
