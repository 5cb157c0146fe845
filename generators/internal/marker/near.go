package marker

import (
	"bytes"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// known are the markers that are parsed, except kubebuilder's resource marker.
var known = slices.Concat(typeMarkers, copyMarkers, []string{
	"groupName", "groupGoName", "resourceName", ViewName,
	"k8s:client-gen", "k8s:lister-gen", "k8s:informer-gen",
})

// unprefixed are the markers that are recognized without the part before the colon. The
// others would then be common words.
var unprefixed = []string{
	"genclient:nonNamespaced", "genclient:noVerbs", "genclient:onlyVerbs",
	"genclient:skipVerbs", "genclient:noStatus",
	"k8s:client-gen", "k8s:lister-gen", "k8s:informer-gen",
}

// switches are the markers without a value.
var switches = []string{"genclient:nonNamespaced", "genclient:noVerbs", "genclient:readonly", "genclient:noStatus"}

// prefixes are the folded prefixes that people put before markers.
var prefixes = []string{"k8sio", "k8s", "kubernetes", "kubebuilder", "genclient", "clientgen"}

// form is a name and its folded form; see [fold].
type form struct{ folded, name string }

var forms = func() []form {
	var list []form
	for _, name := range known {
		list = append(list, form{folded(name), name})
	}
	for _, name := range unprefixed {
		list = append(list, form{folded(name[strings.IndexByte(name, ':'):]), name})
	}
	return list
}()

// Near returns the marker that a line of a comment was probably meant to be. It reports
// false if the line is a marker, or resembles none. A near miss differs from a marker in
// case, spaces, punctuation and prefix, or in one letter, or in two transposed letters.
// Near ignores lines that start with "+genclient": [ParseType] reports the invalid ones.
func Near(line load.Line) (meant string, ok bool) {
	text, starred := line.Text, false
	if line.Block {
		text, starred = withoutStar(text)
	}
	if !strings.HasPrefix(text, "+") {
		return "", false
	}
	if meant, ok = near(text[1:], starred); !ok {
		return "", false
	}
	return meant, true
}

// withoutStar returns a line of a block comment without its leading asterisk, and reports
// whether there was one.
func withoutStar(text string) (rest string, starred bool) {
	rest = strings.TrimLeft(text, " \t")
	if !strings.HasPrefix(rest, "*") {
		return text, false
	}
	return strings.TrimLeft(rest[1:], " "), true
}

// near is [Near] for the text after a plus sign, but can return a marker even if it reports
// false. If the line is starred, valid markers are near misses too.
func near(text string, starred bool) (meant string, ok bool) {
	if strings.HasPrefix(text, "genclient") && !starred {
		return "", false
	}
	name, value, hasValue := strings.Cut(text, "=")
	if anonymous, cut := strings.CutSuffix(name, ":"); cut && hasValue && !starred && strings.HasPrefix(name, "kubebuilder:") && slices.Contains(copyMarkers, anonymous) {
		return "+" + text, false // controller-gen reads := like =
	}
	if colon := strings.IndexByte(name, ':'); colon >= 0 {
		if meant, ok = nearKubebuilder(text, colon); ok {
			return meant, starred || meant != "+"+text
		}
	}
	marker, ok := nearName(name)
	if !ok && !hasValue {
		marker, value, ok = otherSign(text)
		hasValue = ok
	}
	if !ok {
		return "", false
	}
	meant = "+" + marker
	if hasValue && (value != "true" || !slices.Contains(switches, marker)) {
		if strings.HasPrefix(marker, "k8s:") && !slices.Contains(copyMarkers, marker) && nearFalse(value) {
			value = "false"
		}
		if marker != name {
			value = strings.TrimSpace(value)
		}
		meant += "=" + value
	}
	return meant, starred || meant != "+"+text
}

// nearName returns the marker that name resembles.
func nearName(name string) (marker string, ok bool) {
	var buf [maxName]byte
	f := fold(&buf, name)
	if len(f) == 0 {
		return "", false
	}
	if marker, ok := nearForm(f); ok {
		return marker, true
	}
	for _, p := range prefixes {
		if rest, found := bytes.CutPrefix(f, []byte(p)); found {
			if marker, ok := nearForm(rest); ok {
				return marker, true
			}
		}
	}
	return "", false
}

func nearForm(folded []byte) (marker string, ok bool) {
	for _, f := range forms {
		if string(folded) == f.folded {
			return f.name, true
		}
	}
	for _, f := range forms {
		if withinOne(folded, f.folded) {
			return f.name, true
		}
	}
	return "", false
}

// otherSign returns the marker of a line that has a colon or a space instead of the equals
// sign, followed by one word.
func otherSign(text string) (marker, value string, ok bool) {
	i := strings.IndexAny(text, ": ")
	if i < 0 {
		return "", "", false
	}
	value = strings.TrimSpace(strings.TrimLeft(text[i:], ": "))
	switch marker, _ = nearName(text[:i]); marker {
	case "groupName", "groupGoName", "resourceName":
		return marker, value, value != "" && !strings.ContainsAny(value, " \t:")
	}
	return "", "", false
}

// nearKubebuilder returns a line that resembles kubebuilder's resource marker with its
// settings corrected. Colon is the index of the line's first colon.
func nearKubebuilder(text string, colon int) (meant string, ok bool) {
	end := len(text)
	if i := strings.IndexAny(text[colon+1:], ":="); i >= 0 {
		end = colon + 1 + i
	}
	var buf [maxName]byte
	if f := fold(&buf, text[:end]); !withinOne(f, "kubebuilderresource") {
		return "", false
	}
	meant = "+kubebuilder:resource"
	if end == len(text) {
		return meant, true
	}
	settings := strings.Split(text[end+1:], ",")
	for i, s := range settings {
		key, value, found := strings.Cut(s, "=")
		if found {
			settings[i] = nearSetting(key, value)
		}
	}
	return meant + ":" + strings.Join(settings, ","), true
}

func nearSetting(key, value string) string {
	key = nearWord(key, "path", "scope")
	if strings.TrimSpace(key) == "scope" {
		value = nearWord(value, "Cluster", "Namespaced")
	}
	return key + "=" + value
}

// nearWord returns the candidate that word resembles, or word itself.
func nearWord(word string, candidates ...string) string {
	plain := strings.Trim(word, " \"`")
	var buf [maxName]byte
	f := fold(&buf, plain)
	for _, c := range candidates {
		if plain != c && withinOne(f, folded(c)) {
			return c
		}
	}
	return word
}

// nearFalse reports whether a value was probably meant to be "false", and is not.
func nearFalse(value string) bool {
	var buf [maxName]byte
	f := fold(&buf, value)
	return value != "false" && (withinOne(f, "false") || slices.Contains([]string{"no", "off", "0", "f"}, string(f)))
}

// maxName is longer than any marker: longer names resemble none.
const maxName = 48

// fold returns the letters and digits of a name in lower case, stored in buf, or nil if they
// do not fit.
func fold(buf *[maxName]byte, name string) []byte {
	n := 0
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
		default:
			continue
		}
		if n == len(buf) {
			return nil
		}
		buf[n] = c
		n++
	}
	return buf[:n]
}

func folded(name string) string {
	var buf [maxName]byte
	return string(fold(&buf, name))
}

// withinOne reports whether a equals b, or differs from it by one inserted, deleted or
// replaced letter, or by two transposed letters.
func withinOne(a []byte, b string) bool {
	if d := len(a) - len(b); d > 1 || d < -1 {
		return false
	}
	p := 0
	for p < len(a) && p < len(b) && a[p] == b[p] {
		p++
	}
	restA, restB := a[p:], b[p:]
	switch {
	case len(restA) > len(restB):
		return string(restA[1:]) == restB
	case len(restA) < len(restB):
		return string(restA) == restB[1:]
	case len(restA) == 0 || string(restA[1:]) == restB[1:]:
		return true
	}
	return len(restA) > 1 && restA[0] == restB[1] && restA[1] == restB[0] && string(restA[2:]) == restB[2:]
}

// MayMiss reports whether a Go file can contain a near miss of a marker. It reads bytes
// instead of syntax and can report false positives.
func MayMiss(src []byte) bool {
	for from := 0; ; {
		i := bytes.IndexByte(src[from:], '+')
		if i < 0 {
			return false
		}
		at := from + i
		from = at + 1
		before := at
		for before > 0 && (src[before-1] == ' ' || src[before-1] == '\t' || src[before-1] == '*') {
			before--
		}
		if before > 0 && src[before-1] != '\n' && src[before-1] != '/' {
			continue
		}
		end := bytes.IndexByte(src[from:], '\n')
		if end < 0 {
			end = len(src) - from
		}
		text, _, _ := strings.Cut(string(src[from:from+end]), "*/")
		if _, ok := near(strings.TrimRight(text, " \t\r"), bytes.IndexByte(src[before:at], '*') >= 0); ok {
			return true
		}
	}
}
