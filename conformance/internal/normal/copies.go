package normal

import (
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// Functions returns the text below the imports of a Go file, with import paths in place of the names
// of imports.
func Functions(text []byte) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ImportsOnly)
	if err != nil {
		return "", err
	}
	end := file.Name.End()
	for _, decl := range file.Decls {
		end = decl.End()
	}
	body := string(text[fset.Position(end).Offset:])
	paths := map[string]string{} // by name
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return "", err
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = path
	}
	body = qualified.ReplaceAllStringFunc(body, func(match string) string {
		name := match[1 : len(match)-2]
		if path, ok := paths[name]; ok {
			return match[:1] + path + match[len(match)-2:]
		}
		return match
	})
	return strings.TrimSpace(body) + "\n", nil
}

// qualified matches the name of a package before an exported name.
var qualified = regexp.MustCompile(`[^.\w]\w+\.[A-Z]`)

// Copies returns what deepcopy functions do: it drops in which of several equal ways controller-gen and
// deepcopy-gen write it.
func Copies(text []byte) (string, error) {
	body, err := Functions(text)
	for _, w := range ways {
		body = w.pattern.ReplaceAllString(body, w.replacement)
	}
	return body, err
}

// ways are patterns of what both write in different ways, with what they have in common.
var ways = []struct {
	pattern     *regexp.Regexp
	replacement string
}{
	{regexp.MustCompile(`(?m)^\t+return\n`), ""},                   // at the ends of functions without results
	{regexp.MustCompile(`(?m)^\t+inVal := \(\*in\)\[key\]\n`), ""}, // the variable val has the same value
	{regexp.MustCompile(`&inVal\b`), "&val"},
	// Types that are named, by an alias, or by their underlying type: each must fit *out.
	{regexp.MustCompile(`(?m)(\*out = make\().*(, len\(\*in\)\))`), "${1}_${2}"},
	{regexp.MustCompile(`(= new\(|var outVal ).*`), "${1}_"},
}
