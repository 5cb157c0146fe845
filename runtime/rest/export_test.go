package rest

// SetMaxObject sets the maximum size of a response that is one object.
func SetMaxObject(r *Request, bytes int64) { r.maxObject = bytes }

// ForgetThrottleLogs resets the times at which long waits were logged.
func ForgetThrottleLogs() {
	verboseThrottles.last.Store(nil)
	quietThrottles.last.Store(nil)
}
