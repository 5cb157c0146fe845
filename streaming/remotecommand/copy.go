package remotecommand

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"k8s.io/klog/v2"
)

// resultLimit is the maximum size of a result in bytes.
const resultLimit = 1 << 20

var errResultTooLong = errors.New("result is too long")

// output writes to a local stream until that fails, and discards the rest, so that the command is not stopped by it.
type output struct {
	name   string
	logger klog.Logger
	w      io.Writer
	failed bool
}

func (o *output) Write(p []byte) (int, error) {
	if !o.failed {
		if _, err := o.w.Write(p); err != nil {
			o.failed = true
			o.logger.Error(err, "Failed to write output, discarding the rest", "stream", o.name)
		}
	}
	return len(p), nil
}

// result collects what a server reports of a command's end.
type result struct{ bytes.Buffer }

func (r *result) Write(p []byte) (int, error) {
	if r.Len()+len(p) > resultLimit {
		return 0, errResultTooLong
	}
	return r.Buffer.Write(p)
}

// copyStdin copies a local stream to a remote one, which it closes at the end.
func copyStdin(logger klog.Logger, remote io.WriteCloser, local io.Reader) {
	// Without WriteTo, which would send the whole of it in one frame.
	if _, err := io.Copy(remote, struct{ io.Reader }{local}); err != nil {
		logger.V(3).Info("Failed to copy standard input, closing it", "err", err)
	}
	if err := remote.Close(); err != nil {
		logger.V(3).Info("Failed to close standard input", "err", err)
	}
}

// copySizes sends the sizes of a terminal until there are no more.
func copySizes(logger klog.Logger, remote io.Writer, queue TerminalSizeQueue) {
	encoder := json.NewEncoder(remote)
	for size := queue.Next(); size != nil; size = queue.Next() {
		if err := encoder.Encode(size); err != nil {
			logger.V(3).Info("Failed to send the terminal's size, sending no more", "err", err)
			return
		}
	}
}
