package websocket

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/httpstream"
	streaming "k8s.io/streaming/pkg/httpstream"
)

// errorLimit is the number of bytes that are read of an error response.
const errorLimit = 64 << 10

// failedUpgrade is an error for which both functions httpstream.IsUpgradeFailure return true, apimachinery's and
// k8s.io/streaming's, and which wraps its cause.
type failedUpgrade struct{ streaming.UpgradeFailureError }

func upgradeFailure(cause error) error {
	return &failedUpgrade{streaming.UpgradeFailureError{Cause: cause}}
}

func (e *failedUpgrade) Unwrap() []error {
	return []error{&e.UpgradeFailureError, &httpstream.UpgradeFailureError{Cause: e.Cause}, e.Cause}
}

// refusal returns the error of a response without upgrade: its Status, or bad with what the response says. The
// dialer has read the beginning of the body.
func refusal(bad error, resp *http.Response) error {
	if resp == nil || resp.Status == "" {
		return bad
	}
	defer func() { _ = resp.Body.Close() }() // the dialer has closed the connection
	body, err := io.ReadAll(io.LimitReader(resp.Body, errorLimit))
	if err != nil {
		return fmt.Errorf("%w (%s): unable to read error from server response", bad, resp.Status)
	}
	var status metav1.Status
	if json.Unmarshal(body, &status) == nil && status.Kind == "Status" && status.Status != metav1.StatusSuccess {
		return &apierrors.StatusError{ErrStatus: status}
	}
	if message := strings.TrimSpace(string(body)); message != "" {
		return fmt.Errorf("%w (%s): %s", bad, resp.Status, message)
	}
	return fmt.Errorf("%w (%s)", bad, resp.Status)
}
