// Package pemfile reads certificates and keys that are configured as data or as the name of a file.
package pemfile

import "os"

// Source is one certificate or key: Data is used if it is not empty, otherwise the content of File. Both may be
// empty.
type Source struct {
	Data *[]byte
	File string
}

// Load fills the empty Data of each source from its File. It stops at the first file that cannot be read, with
// the error of [os.ReadFile]; earlier sources are filled then.
func Load(sources ...Source) error {
	for _, s := range sources {
		if len(*s.Data) > 0 || s.File == "" {
			continue
		}
		data, err := os.ReadFile(s.File)
		if err != nil {
			return err
		}
		*s.Data = data
	}
	return nil
}
