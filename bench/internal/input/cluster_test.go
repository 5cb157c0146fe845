package input

import (
	"bytes"
	"testing"
)

func TestWriteReplicas(t *testing.T) {
	for _, n := range []int{0, 1, 100} {
		want, err := ReplicaList(n)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := WriteReplicas(&got, n); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%d replicas: %d bytes, want %d, %v", n, got.Len(), len(want), err)
		}
	}
}
