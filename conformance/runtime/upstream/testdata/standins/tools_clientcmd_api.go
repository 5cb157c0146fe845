package api

import "encoding/base64"

var dataOmittedBytes, _ = base64.StdEncoding.DecodeString("DATA+OMITTED")
