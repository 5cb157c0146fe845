package debug

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
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
	"exact":   exact,
	"seconds": func(s float64) string { return roughly(time.Duration(s * float64(time.Second))) },
	"since":   func(t, now time.Time) string { return roughly(now.Sub(t)) },
	"style":   func() template.CSS { return template.CSS(pageStyle) },
}).Parse(pageTemplate))

// contentSecurityPolicy lets a browser take the page's style and load nothing.
var contentSecurityPolicy = func() string {
	hash := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; frame-ancestors 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}()

func writeHTML(w io.Writer, p page) error { return pageHTML.Execute(w, p) }

// ago returns how long ago something was, if it was at all.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return roughly(now.Sub(t)) + " ago"
}

// exact returns a time to the second, if it is one.
func exact(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// roughly returns a duration to as many digits as tell something.
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
