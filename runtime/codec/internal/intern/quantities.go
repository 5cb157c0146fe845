package intern

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

const (
	longestQuantity = 32
	mostQuantities  = 256
)

// quantity is a quantity that came before.
type quantity struct {
	text  string
	value resource.Quantity
}

func hashOfQuantity(q *quantity) (uint64, bool) { return jsonscan.Hash([]byte(q.text)), q.text != "" }

// Quantities are quantities that came before, by their texts: parsing one takes longer than to copy it. The zero value
// is empty.
type Quantities struct{ known hashTable[quantity] }

// Get returns a copy of the quantity with that text, if it is known, and otherwise has parse make it.
func (t *Quantities) Get(text []byte, parse func([]byte) (resource.Quantity, error)) (resource.Quantity, error) {
	if len(text) > longestQuantity || len(text) == 0 {
		return parse(text)
	}
	hash := jsonscan.Hash(text)
	at := t.known.at(hash)
	if at.text == string(text) {
		return at.value.DeepCopy(), nil
	}
	parsed, err := parse(text)
	if err != nil {
		return parsed, err
	}
	if at.text != "" && t.known.put(mostQuantities, hashOfQuantity) {
		at = t.known.at(hash)
	}
	*at = quantity{string(text), parsed}
	return parsed.DeepCopy(), nil
}
