package rest

// SetMaxObject bounds the answer of a request that is one object.
func SetMaxObject(r *Request, bytes int64) { r.maxObject = bytes }
