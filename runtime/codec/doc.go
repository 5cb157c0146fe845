// Package codec decodes JSON into objects of a scheme as apimachinery's
// serializer does, in one pass.
package codec
