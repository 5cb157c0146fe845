package codec

import (
	"reflect"

	"github.com/listwatch/listwatch/runtime/codec/internal/table"
	"github.com/listwatch/listwatch/runtime/internal/scan"
)

// Unmarshal decodes the JSON of any value into what into points to, like apimachinery's pkg/util/json: names are
// case-sensitive, and untyped whole numbers are int64. Empty structs are decoded fast. It is safe for concurrent use.
func Unmarshal(data []byte, into any) error {
	v := reflect.ValueOf(into)
	if v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().IsZero() {
		if t := table.Of(v.Type().Elem()); t != nil {
			s := sessions.Get().(*session)
			defer s.release()
			if next := s.Object(data, 0, t, v); next >= 0 && scan.Space(data, next) == len(data) {
				return nil
			}
			v.Elem().SetZero()
		}
	}
	return table.Exact(data, v)
}
