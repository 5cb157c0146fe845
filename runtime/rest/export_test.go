package rest

// SetMaxObject bounds the answer of a request that is one object.
func SetMaxObject(r *Request, bytes int64) { r.maxObject = bytes }

// ForgetThrottleLogs forgets when long waits were logged.
func ForgetThrottleLogs() {
	verboseThrottles.last.Store(nil)
	quietThrottles.last.Store(nil)
}
