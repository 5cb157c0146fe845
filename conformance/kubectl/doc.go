// Package kubectl runs kubectl on the real API server and on apitest, and compares what it prints.
package kubectl
