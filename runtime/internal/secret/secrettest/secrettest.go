// Package secrettest searches printed values for secrets.
package secrettest

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"

	"k8s.io/klog/v2/textlogger"
)

// CheckJSON fails if the JSON of v shows the secret.
func CheckJSON(t testing.TB, v any, secret string) {
	t.Helper()
	data, err := json.Marshal(v)
	if out := fmt.Sprint(string(data), err); Shows(out, secret) {
		t.Errorf("the secret is in the JSON %q", out)
	}
}

// CheckEncoders fails if encoding/json, encoding/xml or encoding/gob encode the secret in v. An error of theirs
// is accepted.
func CheckEncoders(t testing.TB, v any, secret string) {
	t.Helper()
	CheckJSON(t, v, secret)
	var buf bytes.Buffer
	err := xml.NewEncoder(&buf).EncodeElement(v, xml.StartElement{Name: xml.Name{Local: "v"}})
	fail(t, []string{fmt.Sprint(buf.String(), err)}, secret)
	buf.Reset()
	err = gob.NewEncoder(&buf).Encode(v)
	fail(t, []string{fmt.Sprint(buf.String(), err)}, secret)
}

// Shows reports whether out shows the secret.
func Shows(out, secret string) bool {
	for _, form := range []string{
		secret,
		fmt.Sprintf("%x", secret),
		fmt.Sprintf("%X", secret),
		fmt.Sprintf("% x", secret),
		strings.Trim(fmt.Sprintf("%d", []byte(secret)), "[]"),
		base64.StdEncoding.EncodeToString([]byte(secret)),
	} {
		if strings.Contains(out, form) {
			return true
		}
	}
	return false
}

// CheckFmt fails if v, printed by fmt, shows the secret. The verbs p and w are omitted: if they are misused,
// fmt prints fields without calling methods, and vet complains.
func CheckFmt(t testing.TB, v any, secret string) {
	t.Helper()
	fail(t, printed(v), secret)
}

// Check fails if v, printed by fmt or logged by any logger, shows the secret.
func Check(t testing.TB, v any, secret string) {
	t.Helper()
	fail(t, append(printed(v), logged(v)...), secret)
}

func fail(t testing.TB, outputs []string, secret string) {
	t.Helper()
	for _, out := range outputs {
		if Shows(out, secret) {
			t.Errorf("the secret is in %q", out)
			return
		}
	}
}

func printed(v any) []string {
	outputs := []string{fmt.Sprint(v), fmt.Sprintln(v), fmt.Errorf("failed: %w: %v", errors.New("why"), v).Error()}
	for verb := 'A'; verb <= 'z'; verb++ {
		if verb == 'p' || verb == 'w' {
			continue
		}
		for _, flags := range []string{"", "+", "#", "-30", " ", "0"} {
			outputs = append(outputs, fmt.Sprintf("%"+flags+string(verb), v))
		}
	}
	return outputs
}

func logged(v any) []string {
	var buf bytes.Buffer
	slog.New(slog.NewTextHandler(&buf, nil)).Info("m", "v", v)
	slog.New(slog.NewJSONHandler(&buf, nil)).Info("m", "v", v)
	logr.FromSlogHandler(slog.NewJSONHandler(&buf, nil)).Info("m", "v", v)
	funcr.New(func(_, args string) { buf.WriteString(args) }, funcr.Options{}).Info("m", "v", v)
	funcr.NewJSON(func(obj string) { buf.WriteString(obj) }, funcr.Options{}).Info("m", "v", v)
	textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&buf))).Info("m", "v", v)
	return []string{buf.String()}
}
