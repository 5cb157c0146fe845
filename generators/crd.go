package generators

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/crd"
	"github.com/listwatch/listwatch/generators/model"
)

// CRDEmitter returns the emitter of [CRD]. Its input must be read with CRDs of [RunOptions]. It returns an
// error that wraps [ErrUsage] if the file with the header cannot be read.
func CRDEmitter(opts CRDOptions) (Emitter, error) {
	header, err := opts.yamlHeader()
	if err != nil {
		return nil, err
	}
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		var trees []Tree
		byDir := map[string]int{}
		for _, p := range in.API.Packages {
			dir, err := opts.crdDir(p)
			if err != nil {
				return nil, err
			}
			i, known := byDir[dir]
			if !known {
				// Without files, the tree removes those that were generated earlier.
				i = len(trees)
				byDir[dir] = i
				trees = append(trees, Tree{Tool: "gen-crd", Place: Place{Dir: dir}, Flat: true})
			}
			for _, c := range p.CRDs {
				text, err := crd.YAML(c, opts.MaxDescLen)
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

// crdDir returns the output directory of a package's CustomResourceDefinitions.
func (o CRDOptions) crdDir(p *model.APIPackage) (string, error) {
	dir, err := filepath.Abs(o.Dir)
	switch {
	case err != nil:
		return "", err
	case filepath.IsAbs(o.OutputDir):
		return o.OutputDir, nil
	case o.OutputDir != "":
		return filepath.Join(dir, o.OutputDir), nil
	case p.Module.Dir == "":
		return "", fmt.Errorf("%w: package %s is in no module; set --output-dir", ErrUsage, p.Types.Path)
	}
	return filepath.Join(p.Module.Dir, filepath.FromSlash(DefaultCRDDir)), nil
}

// yamlHeader returns the text at the top of YAML files.
func (o CRDOptions) yamlHeader() (string, error) {
	if o.YAMLHeaderFile == "" {
		return "", nil
	}
	file := o.YAMLHeaderFile
	if !filepath.IsAbs(file) {
		file = filepath.Join(o.Dir, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%w: --header-file: %w", ErrUsage, err)
	}
	return strings.TrimRight(strings.ReplaceAll(string(text), " YEAR", " "+o.Year), "\n") + "\n", nil
}
