// Package mapping proves that REST mappers, short names, categories and scales of the runtime are client-go's: for
// servers with random resources, both sides return the same for each question, and for scales of all versions
// both send the same requests and make the same of the responses.
package mapping
