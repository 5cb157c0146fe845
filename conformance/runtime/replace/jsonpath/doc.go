// Package jsonpath compares client-go's util/jsonpath with that of the replacement. Both have one import path, so a
// program is built twice.
package jsonpath
