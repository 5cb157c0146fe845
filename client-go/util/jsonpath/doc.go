// Package jsonpath prints objects by templates of JSONPath, as kubectl's option -o jsonpath does:
//
//	{range .items[*]}{.metadata.name}{"\n"}{end}
//
// # Terms
//
// Text outside of braces is printed as it is. An *action* in braces selects values: a field (.a.b or ['a']), elements
// of a list ([0], [-1], [1:3], [0:10:2], [*], [0,2]), those that a filter chooses ([?(@.kind=="Pod")]), all fields and
// elements (.*), or all below (..name). {range} begins what is printed for each selected value, and {end} ends it.
//
// # Operations
//
// [New] and [JSONPath.Parse] compile a template, [JSONPath.Execute] prints, [JSONPath.FindResults] returns the values.
//
// # Limits
//
// A name that is not found is an error unless [JSONPath.AllowMissingKeys] was called. Filters compare one value with
// one, without "and" and "or". https://kubernetes.io/docs/reference/kubectl/jsonpath/ describes the language.
package jsonpath
