package controllerruntime

import "github.com/go-logr/logr"

// ReplaceLogger replaces the logger of caches that start later. The function that it returns restores it.
func ReplaceLogger(l logr.Logger) (restore func()) {
	before := logger
	logger = l
	return func() { logger = before }
}
