//go:build inprocess

package apitest_test

import _ "github.com/listwatch/listwatch/apitest/inprocess" // the tests of servers run on it as well
