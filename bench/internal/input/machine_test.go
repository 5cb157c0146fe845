package input

import (
	"encoding/json"
	"testing"
)

func TestMachineHasTheSizeOfTheTarget(t *testing.T) {
	for _, number := range []int{0, 49_999} {
		data, err := json.Marshal(Machine(number))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(data); n < 2250 || n > 2350 {
			t.Errorf("machine %d has %d bytes of JSON, want 2.3 KB", number, n)
		}
	}
}
