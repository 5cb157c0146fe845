package generators

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// exclude removes the packages that match Options.Exclude. A pattern without matches is an
// error.
func (r *run) exclude(packages []*load.Package) ([]*load.Package, error) {
	for _, pattern := range r.opts.Exclude {
		matches := r.matcher(pattern)
		rest := slices.DeleteFunc(slices.Clone(packages), matches)
		if len(rest) == len(packages) {
			return nil, fmt.Errorf("%w: --exclude=%s matches no packages; start directories with ./ or /, and end with /... to include the packages below", ErrUsage, pattern)
		}
		packages = rest
	}
	if len(packages) == 0 && len(r.opts.Exclude) > 0 {
		return nil, fmt.Errorf("%w: --exclude excludes all packages; narrow its patterns", ErrUsage)
	}
	return packages, nil
}

// matcher returns a function that reports whether a package matches a pattern. A pattern
// that starts with a dot, or is an absolute path, matches directories; others match import
// paths.
func (r *run) matcher(pattern string) func(*load.Package) bool {
	slashed := filepath.ToSlash(pattern)
	if slashed == "." || slashed == ".." || strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || filepath.IsAbs(pattern) {
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(r.opts.Dir, pattern)
		}
		re := wildcard(filepath.ToSlash(filepath.Clean(pattern)))
		return func(p *load.Package) bool { return re.MatchString(filepath.ToSlash(p.Dir)) }
	}
	re := wildcard(slashed)
	return func(p *load.Package) bool { return re.MatchString(p.Path) }
}

// wildcard returns the regular expression for a pattern in which "..." matches any text, as
// in "go help packages": "a/..." also matches a.
func wildcard(pattern string) *regexp.Regexp {
	re := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if rest, ok := strings.CutSuffix(re, `/.*`); ok {
		re = rest + `(/.*)?`
	}
	return regexp.MustCompile("^" + re + "$")
}
