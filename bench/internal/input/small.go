package input

import (
	"fmt"
	"io"
	"strconv"
)

// appendSmall appends the JSON of a small machine with this number: 0.5 KB, with metadata, one field of its spec and one
// of its status. Names and resource versions differ for any number, so that it need not be prepared.
func appendSmall(to []byte, number int) []byte {
	const digits = 12
	padded := strconv.AppendInt(nil, 1_000_000_000_000+int64(number), 10)[1:]
	to = append(to, `{"apiVersion":"fleet.example.com/v1","kind":"Machine","metadata":{"name":"worker-`...)
	to = append(to, padded...)
	to = append(to, `","namespace":"namespace-`...)
	to = append(to, padded[digits-2:]...)
	to = append(to, `","uid":"5d8c1f0e-7a64-4b1b-9c3d-`...)
	to = append(to, padded...)
	to = append(to, `","resourceVersion":"`...)
	to = strconv.AppendInt(to, int64(8_000_000+number), 10)
	to = append(to, `","generation":1,"creationTimestamp":"2026-03-04T09:30:00Z","labels":{"app.kubernetes.io/instance":"worker-`...)
	to = append(to, padded[digits-2:]...)
	to = append(to, `","app.kubernetes.io/name":"worker"}},"spec":{"image":"registry.example.com/fleet/worker:v1.7.0","port":8080,"timeout":"1m30s"},"status":{"phase":"Running","ready":1}}`...)
	return to
}

// WriteSmallList writes a list of n small machines, at least one, made while it is written.
func WriteSmallList(w io.Writer, n int) error {
	return writeSmall(w, n,
		`{"apiVersion":"fleet.example.com/v1","items":[`, ",",
		fmt.Sprintf(`],"kind":"MachineList","metadata":{"resourceVersion":"%s"}}`+"\n", ResourceVersion(n)))
}

// WriteSmallEvents writes an event of a type for each of n small machines, at least one.
func WriteSmallEvents(w io.Writer, kind string, n int) error {
	head, tail := `{"type":"`+kind+`","object":`, "}\n"
	return writeSmall(w, n, head, tail+head, tail)
}

func writeSmall(w io.Writer, n int, before, between, behind string) error {
	const block = 64 << 10
	text := append(make([]byte, 0, block+4<<10), before...)
	for i := range n {
		if i > 0 {
			text = append(text, between...)
		}
		text = appendSmall(text, i)
		if len(text) >= block {
			if _, err := w.Write(text); err != nil {
				return err
			}
			text = text[:0]
		}
	}
	_, err := w.Write(append(text, behind...))
	return err
}
