// Package script is a program of client-go's that writes down what it observes. It contains only tests, which are its
// scripts; package behaviour runs them.
package script
