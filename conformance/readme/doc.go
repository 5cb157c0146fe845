// Package readme follows README.md word for word: every command and every code block, in an empty
// module, which gets the modules of this tree from a proxy as if they were released.
package readme
