package debug_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/html"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/debug"
)

// pictures are the pictures in docs, created by TestInBrowser with LISTWATCH_UPDATE=1, with the width of the
// screen in CSS pixels.
var pictures = map[string]int{
	"../../docs/debug.png":       1300,
	"../../docs/debug-phone.png": 390,
}

// pictured are the states in the pictures: those of the informers whose resource is known.
func pictured() []cache.State {
	return slices.DeleteFunc(fleet(time.Now()), func(s cache.State) bool { return s.Resource.Empty() })
}

// Options apply to all informers.
func TestPicturesAreCurrent(t *testing.T) {
	for file := range pictures {
		if !current(t, file) && !golden.Update {
			t.Errorf("%s shows another page: run LISTWATCH_UPDATE=1 go test ./runtime/debug where Chromium is installed", file)
		}
	}
}

// current reports whether a picture shows the current page. Two pictures of one page may differ:
// each Chromium renders letters differently.
func current(t *testing.T, file string) bool {
	t.Helper()
	picture, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(picture, []byte(pageSum(t)))
}

// pageSum identifies what the pictures show.
func pageSum(t *testing.T) string {
	var sum string
	synctest.Test(t, func(t *testing.T) { // with a fixed time
		page := body(t, get(debug.HandlerFor(pictured), "/"))
		sum = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(page)))
	})
	return sum
}

// browser returns the command of a Chromium, the only requirement of the tests that may be missing.
func browser(t *testing.T) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("no browser: install one of %s", strings.Join(names, ", "))
	return ""
}

// browse runs the browser without a window and returns its output.
func browse(t *testing.T, arguments ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	arguments = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--user-data-dir=" + t.TempDir(),
	}, arguments...)
	cmd := exec.CommandContext(ctx, browser(t), arguments...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, &stderr)
	}
	return out
}

// layout is the width and height of a page in a window of some Width, in CSS pixels.
type layout struct{ Width, ScrollWidth, ScrollHeight int }

// measure returns the layouts of the page at /page in windows of some widths.
func measure(t *testing.T, server string, widths ...int) map[int]layout {
	t.Helper()
	data, err := json.Marshal(widths)
	if err != nil {
		t.Fatal(err)
	}
	dom := browse(t, "--virtual-time-budget=20000", "--dump-dom", server+"/measure?widths="+string(data))
	root, err := html.Parse(bytes.NewReader(dom))
	if err != nil {
		t.Fatal(err)
	}
	layouts := map[int]layout{}
	for _, pre := range elements(root, "pre") {
		var l layout
		if err := json.Unmarshal([]byte(text(pre)), &l); err != nil {
			t.Fatalf("%v in\n%s", err, dom)
		}
		layouts[l.Width] = l
	}
	if len(layouts) != len(widths) {
		t.Fatalf("%d layouts for widths %v:\n%s", len(layouts), widths, dom)
	}
	return layouts
}

// measuring is a page that shows /page in frames of the widths in its query, and reports their
// layouts.
const measuring = `<!DOCTYPE html><body><script>
for (const width of JSON.parse(new URLSearchParams(location.search).get("widths"))) {
	const frame = document.createElement("iframe");
	frame.width = width;
	frame.onload = () => {
		const page = frame.contentDocument.documentElement;
		const pre = document.createElement("pre");
		pre.textContent = JSON.stringify({width, scrollWidth: page.scrollWidth, scrollHeight: page.scrollHeight});
		document.body.append(pre);
	};
	frame.style.border = 0;
	frame.src = "/page";
	document.body.append(frame);
}
</script>`

// servePage serves the page at /page, where it can be framed, and the pages that measure and
// photograph it.
func servePage(t *testing.T) *httptest.Server {
	page := debug.HandlerFor(pictured)
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		page.ServeHTTP(answer, r)
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		_, _ = w.Write(answer.Body.Bytes())
	})
	mux.HandleFunc("/measure", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, measuring) })
	mux.HandleFunc("/frame", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<!DOCTYPE html><body style="margin:0"><iframe src="/page" style="border:0" width="%s" height="%s"></iframe>`,
			html.EscapeString(r.FormValue("width")), html.EscapeString(r.FormValue("height")))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// TestInBrowser shows the page in windows from the width of a phone to that of a desktop: it never
// scrolls sideways. With LISTWATCH_UPDATE=1 it creates the pictures in docs.
func TestInBrowser(t *testing.T) {
	browser(t)
	server := servePage(t)
	layouts := measure(t, server.URL, 320, 390, 600, 800, 1024, 1300, 1920)
	for width, l := range layouts {
		if l.ScrollWidth > width {
			t.Errorf("in a window %d pixels wide, the page is %d wide", width, l.ScrollWidth)
		}
	}
	for file, width := range pictures {
		picture := photograph(t, server.URL, width, min(layouts[width].ScrollHeight, 2400)) // the top of a long page
		if golden.Update && !current(t, file) {
			if err := os.WriteFile(file, commented(picture, "page "+pageSum(t)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// photograph returns the page as PNG. Windows have a minimum width, so the page is in a frame that
// is cut out.
func photograph(t *testing.T, server string, width, height int) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.png")
	const bar = 200 // height that the window may need around the page
	browse(t, fmt.Sprintf("--window-size=%d,%d", max(width, 800), height+bar), "--screenshot="+file,
		fmt.Sprintf("%s/frame?width=%d&height=%d", server, width, height))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	part := image.Rect(0, 0, width, height)
	if !part.In(whole.Bounds()) {
		t.Fatalf("the picture is %v, want at least %v", whole.Bounds(), part)
	}
	var out bytes.Buffer
	err = png.Encode(&out, whole.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(part))
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// commented returns a PNG with a comment, in a text chunk after the header.
func commented(picture []byte, comment string) []byte {
	const header = 8 + 4 + 4 + 13 + 4 // signature; length, name, content and checksum of IHDR
	chunk := append([]byte("tEXt"), "Comment\x00"+comment...)
	out := slices.Clone(picture[:header])
	out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
	out = append(out, chunk...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
	return append(out, picture[header:]...)
}
