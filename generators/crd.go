package generators

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/manifest"
	"github.com/listwatch/listwatch/generators/model"
)

// CRDEmitter returns the emitter of [CRD]. Its input must be read with CRDs of [RunOptions]. It returns an
// error that wraps [ErrUsage] if the file with the header cannot be read.
func CRDEmitter(opts CRDOptions) (Emitter, error) {
	header, err := yamlHeader(opts.Dir, opts.YAMLHeaderFile, opts.Year)
	if err != nil {
		return nil, err
	}
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		var trees []Tree
		byDir := map[string]int{}
		for _, p := range in.API.Packages {
			dir, err := manifestDir(opts.Dir, opts.OutputDir, DefaultCRDDir, p.Module)
			if err != nil {
				return nil, err
			}
			i, known := byDir[dir]
			if !known {
				// Without files, the tree removes those that were generated earlier, as far as their kinds are gone.
				i = len(trees)
				byDir[dir] = i
				trees = append(trees, Tree{Tool: "gen-crd", Place: Place{Dir: dir}, Flat: true, stays: in.elsewhere.stays, same: manifest.Same})
			}
			for _, c := range p.CRDs {
				text, err := manifest.CRD(c, opts.MaxDescLen)
				if err != nil {
					return nil, err
				}
				trees[i].Files = append(trees[i].Files, File{
					Path: c.Group + "_" + c.Plural + ".yaml", Content: append([]byte(header), text...), Pos: c.Pos,
				})
			}
		}
		return trees, nil
	}), nil
}

// manifestDir returns the output directory of the manifests of packages of a module. Output is the directory
// of the options, relative to dir; empty for the default in the module.
func manifestDir(dir, output, defaultDir string, m model.Module) (string, error) {
	dir, err := filepath.Abs(dir)
	switch {
	case err != nil:
		return "", err
	case filepath.IsAbs(output):
		return output, nil
	case output != "":
		return filepath.Join(dir, output), nil
	case m.Dir == "":
		return "", fmt.Errorf("%w: packages outside of main modules have no default directory %s; set the output directory", ErrUsage, defaultDir)
	}
	return filepath.Join(m.Dir, filepath.FromSlash(defaultDir)), nil
}

// yamlHeader returns the text at the top of YAML files, from a file relative to dir; empty for none.
func yamlHeader(dir, file, year string) (string, error) {
	if file == "" {
		return "", nil
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%w: --header-file: %w", ErrUsage, err)
	}
	return strings.TrimRight(strings.ReplaceAll(string(text), " YEAR", " "+year), "\n") + "\n", nil
}
