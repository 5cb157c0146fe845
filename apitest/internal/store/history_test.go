package store

import (
	"testing"
	"time"
)

func TestHistoryBounds(t *testing.T) {
	tests := map[string]struct {
		limit, size, add int
		every            time.Duration
		want             int
	}{
		"records":        {limit: 10, size: 1, add: 25, want: 10},
		"one record":     {limit: 1, size: 1, add: 3, want: 1},
		"not full":       {limit: 100, size: 1, add: 25, want: 25},
		"no limit":       {size: 1, add: 25_000, want: 25_000},
		"bytes":          {size: 1 << 20, add: 300, want: maxHistoryBytes >> 20},
		"age":            {size: 1, add: 1000, every: time.Second, want: 301},
		"long pauses":    {size: 1, add: 3, every: time.Hour, want: 1},
		"one large":      {limit: 10, size: maxHistoryBytes + 1, add: 3, want: 1},
		"not yet large":  {limit: 10, size: maxHistoryBytes / 2, add: 3, want: 2},
		"grows in steps": {limit: 1000, size: 1, add: 1500, want: 1000},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := history{limit: tt.limit}
			dropped := 0
			for i := range tt.add {
				written := time.Unix(0, 0).Add(time.Duration(i) * tt.every)
				for _, r := range h.add(&record{version: uint64(i + 1), size: tt.size, written: written}) {
					dropped++
					if r.version != uint64(dropped) {
						t.Fatalf("dropped %d, want %d", r.version, dropped)
					}
				}
			}
			if got := int(h.end - h.start); got != tt.want || dropped+got != tt.add {
				t.Errorf("%d records, %d dropped; want %d", got, dropped, tt.want)
			}
			if h.bytes != tt.want*tt.size {
				t.Errorf("%d bytes, want %d", h.bytes, tt.want*tt.size)
			}
			if kept := int(h.end - h.decoded); h.decoded < h.start || kept > keepDecoded || kept*tt.size > maxDecodedBytes || h.decodedBytes != kept*tt.size {
				t.Errorf("%d retain what they replaced, %d bytes", kept, h.decodedBytes)
			}
			for place := h.start; place < h.end; place++ {
				if h.at(place).version != place+1 {
					t.Errorf("version %d at place %d", h.at(place).version, place)
				}
			}
			if last := uint64(tt.add); h.behind(last) != h.end || h.behind(last-1) != h.end-1 || h.behind(0) != h.start {
				t.Errorf("behind: %d %d %d in [%d,%d)", h.behind(0), h.behind(last-1), h.behind(last), h.start, h.end)
			}
			rest := h.removeUpTo(uint64(tt.add))
			if len(rest) != tt.want || h.start != h.end || h.bytes != 0 || h.decoded != h.end || h.decodedBytes != 0 {
				t.Errorf("%d left, %d bytes", len(rest), h.bytes)
			}
		})
	}
}
