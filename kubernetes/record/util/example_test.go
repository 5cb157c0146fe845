package util_test

import (
	"fmt"
	"time"

	"github.com/listwatch/listwatch/kubernetes/record/util"
)

func ExampleGenerateEventName() {
	fmt.Println(util.GenerateEventName("web-1", time.Unix(1, 0).UnixNano()))
	// Output: web-1.3b9aca00
}
