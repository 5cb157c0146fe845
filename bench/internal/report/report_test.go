package report

import (
	"strings"
	"testing"
	"time"
)

func TestTableMarkdown(t *testing.T) {
	got := Table{
		Head: []string{"input", "who", "CPU s"},
		Rows: [][]string{{"one group", "ours", "0.10"}, {"all", "theirs (×3)", "12.00"}},
	}.Markdown()
	want := strings.Join([]string{
		"| input     | who         | CPU s |",
		"|-----------|-------------|------:|",
		"| one group | ours        |  0.10 |",
		"| all       | theirs (×3) | 12.00 |",
		"",
	}, "\n")
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestReplaceSection(t *testing.T) {
	const document = "# Title\n\n<!-- begin a -->\nold\n<!-- end a -->\n\nby hand\n<!-- begin b -->\n<!-- end b -->\n"
	got, err := ReplaceSection(document, "a", "\nnew\n")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(document, "\nold\n", "\n\nnew\n\n", 1)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again, err := ReplaceSection(got, "a", "new")
	if err != nil || again != got {
		t.Errorf("the same body changes the document to\n%s\nerror %v", again, err)
	}
}

func TestReplaceSectionErrors(t *testing.T) {
	for name, c := range map[string]struct{ document, want string }{
		"no markers": {"text\n", "found it 0 times"},
		"no end":     {"<!-- begin a -->\n", "found it 0 times"},
		"two begins": {"<!-- begin a -->\n<!-- begin a -->\n<!-- end a -->\n", "found it 2 times"},
		"reversed":   {"<!-- end a -->\n<!-- begin a -->\n", "ends before it begins"},
		"other name": {"<!-- begin ab -->\n<!-- end ab -->\n", "found it 0 times"},
	} {
		got, err := ReplaceSection(c.document, "a", "body")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %q, error %v; want an error with %q", name, got, err, c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Seconds(1234 * time.Millisecond), "1.234"},
		{MiB(3 << 19), "2"},
		{KiB(10 << 10), "10"},
		{Ratio(9*time.Second, 2*time.Second), "4.5x"},
		{Ratio[int64](9, 0), "-"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
