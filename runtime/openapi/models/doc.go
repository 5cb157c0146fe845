// Package models decodes OpenAPI documents. It is apart from packages openapi and discovery because the models
// of OpenAPI add megabytes to a program: only programs that import it link them.
//
// [NewTypeConverter] makes a converter for managed fields from a server's OpenAPI v3 documents. [Schema]
// requests the OpenAPI v2 document, which covers all group versions. Libraries that take an
// [OpenAPISchemaInterface] are given a [Discovery] made by [For].
package models
