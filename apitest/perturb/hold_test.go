package perturb

import "testing"

// What the program receives does not include bookmarks, as far as these are recognized.
func TestOnlyBookmarks(t *testing.T) {
	const bookmark, added = `{"type":"BOOKMARK","object":{"kind":"Secret"}}` + "\n", `{"type":"ADDED","object":{"kind":"Secret"}}` + "\n"
	for frames, want := range map[string]bool{
		bookmark: true, bookmark + bookmark: true, bookmark + added: false, added: false, `d":"Secret"}}` + "\n": false, `d":"Secret"}}` + "\n" + bookmark: false, "": false,
	} {
		if got := onlyBookmarks([]byte(frames)); got != want {
			t.Errorf("%q: got %t", frames, got)
		}
	}
}
