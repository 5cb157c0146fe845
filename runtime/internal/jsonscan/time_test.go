package jsonscan_test

import (
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

var times = []string{
	"2006-01-02T15:04:05Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
	"9999-12-31T23:59:59Z", "2000-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-02-29T12:00:00Z", "2023-02-29T12:00:00Z",
	"2024-03-01T00:00:00Z", "2024-04-31T00:00:00Z", "2024-12-31T24:00:00Z", "2024-12-31T23:60:00Z", "2024-12-31T23:59:60Z",
	"2024-00-01T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-32T00:00:00Z", "2024-01-01T00:00:00z",
	"2024-01-01t00:00:00Z", "2024-01-01 00:00:00Z", "2024-1-01T00:00:000Z", "2024-01-01T00:00:00+", "+024-01-01T00:00:00Z",
	"2024-01-01T0a:00:00Z", "2024-01-01T00:00:00.5Z", "2024-01-01T00:00:00+01:00", "",
}

func TestSeconds(t *testing.T) {
	for _, text := range times {
		checkSeconds(t, text)
	}
	start := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	for day := 0; day < 10_000*365; day += 13 {
		text := start.AddDate(0, 0, day).Add(time.Duration(day*7919) * time.Second % (24 * time.Hour)).Format(time.RFC3339)
		if _, ok := jsonscan.Seconds([]byte(text)); !ok {
			t.Fatalf("%s is not read", text)
		}
		checkSeconds(t, text)
	}
}

func FuzzSeconds(f *testing.F) {
	for _, text := range times {
		f.Add(text)
	}
	f.Fuzz(checkSeconds)
}

// checkSeconds compares with package time, which accepts more.
func checkSeconds(t *testing.T, text string) {
	got, ok := jsonscan.Seconds([]byte(text))
	want, err := time.Parse(time.RFC3339, text)
	if ok && (err != nil || got != want.Unix()) {
		t.Errorf("%q is %v, want %v, %v", text, time.Unix(got, 0).UTC(), want, err)
	}
	if ok && time.Unix(got, 0) != want.Local() {
		t.Errorf("%q is %#v, want %#v", text, time.Unix(got, 0), want.Local())
	}
}
