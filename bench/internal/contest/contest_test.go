package contest

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// tried is the contest of the tests: one contender counts to n, the other counts wrong.
var tried = Contest{
	Name:       "try",
	Contenders: [2]string{"one", "other"},
	Works: []Work{
		{Name: "count", Rows: []Row{CPU, AllocsEach, More("counted")}, Start: count(0)},
		{Name: "miscount", Rows: []Row{CPU}, Start: count(1)},
		{Name: "no figure", Rows: []Row{Less("missed").With("1x"), {measured: "bad", of: func(o outcome, _ float64) float64 { return 1 / o.Figures["bad"] }}}, Start: count(0)},
		{Name: "fail", Rows: []Row{CPU}, Start: func(int, Env) (Run, error) { return nil, errors.New("cannot start") }},
		{Name: "get", Rows: []Row{CPU}, Start: get},
	},
	Growths: []Growth{{Name: "all", Start: count(0)}, {Name: "some", Start: count(0)}},
	Serve: func(objects int) (http.Handler, error) {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, objects) }), nil
	},
}

// count returns a start whose second contender sees less than it should.
func count(less int) func(int, Env) (Run, error) {
	return func(contender int, _ Env) (Run, error) {
		return func(n int, o *Observer) (any, error) {
			for i := range n - contender*less {
				o.See(&metav1.ObjectMeta{Name: fmt.Sprint(i)})
			}
			o.Figure("counted", float64(n))
			return nil, nil
		}, nil
	}
}

func get(_ int, env Env) (Run, error) {
	return func(n int, o *Observer) (any, error) {
		for range n {
			response, err := http.Get(env.URL)
			if err != nil {
				return nil, err
			}
			response.Body.Close()
			o.See(&metav1.ObjectMeta{})
		}
		return nil, nil
	}, nil
}

func TestMain(m *testing.M) {
	asked, err := tried.Child()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if asked {
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestTry(t *testing.T) {
	for name, want := range map[string]string{
		"count": "", "get": "", "miscount": "contenders saw different objects, 5 and 4", "no figure": "bad is +Inf", "fail": "fail, one: exit status 1",
	} {
		t.Run(name, func(t *testing.T) {
			c := tried
			c.Works, c.Growths = nil, nil
			for _, w := range tried.Works {
				if w.Name == name {
					c.Works = append(c.Works, w)
				}
			}
			err := c.Try(5, 2, t.TempDir())
			if got := fmt.Sprint(err); (want == "") != (err == nil) || !strings.Contains(got, want) {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

func TestClientGoVersion(t *testing.T) {
	if v, err := clientGoVersion(); err == nil && !strings.HasPrefix(v, "v0.") {
		t.Errorf("got version %q", v)
	}
}

func TestGrow(t *testing.T) {
	c := tried
	c.Works = nil
	c.Growths = []Growth{
		{
			Name: "all", X: "n", Sizes: []int{1, 10, 100}, Once: 100,
			Drawings: []Drawing{{File: "counted", Title: "Count", Row: Less("counted").Named("counted")}, {File: "cpu", Title: "CPU", Row: CPU}},
			Start:    count(0),
		},
		{Name: "some", X: "n", Sizes: []int{1, 10, 100}, PeerUpTo: 10, Drawings: []Drawing{{File: "some", Title: "Some", Row: Less("counted")}}, Start: count(0)},
	}
	var progress strings.Builder
	pictures, err := competition{Contest: c, rounds: 2, progress: &progress}.grow()
	if err != nil {
		t.Fatal(err)
	}
	if len(pictures) != 3 || pictures[1].File != "cpu" || pictures[1].Curves[0].Name != "other" {
		t.Fatalf("got %+v", pictures)
	}
	if got, want := fmt.Sprint(pictures[0].Curves), "[{other [{1 1} {10 10} {100 100}]} {one [{1 1} {10 10} {100 100}]}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(pictures[2].Curves), "[{other [{1 1} {10 10} {100 100}]} {one [{1 1} {10 10}]}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := strings.Count(progress.String(), "\n"); got != 2*(2+2+1)+2*(2+2)+2 {
		t.Errorf("%d runs:\n%s", got, progress.String())
	}
	c.Growths = []Growth{{Name: "miscount", Sizes: []int{5}}}
	if _, err := (competition{Contest: c, rounds: 1, progress: &progress}).grow(); err == nil {
		t.Error("contenders that see different objects are drawn")
	}
}

func TestNewer(t *testing.T) {
	c := Contest{Name: "try", Works: []Work{
		{Name: "a", Rows: []Row{CPU, Wall.Main()}}, {Name: "b", Rows: []Row{CPU}}, {Name: "c", Rows: []Row{CPU.Main()}},
	}}
	n := c.newer()
	if n.Name != "try-newer" || len(n.Works) != 2 || len(n.Works[0].Rows) != 1 || n.Works[0].Rows[0].measured != Wall.measured || len(c.Works[0].Rows) != 2 {
		t.Errorf("got %+v", n)
	}
}
