// Package readme follows README.md and the guides in docs/guides word for word: every command and every code block, in
// empty directories, which get the modules of this tree from a proxy as if they were released.
package readme
