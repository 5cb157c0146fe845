// Cmd is the operator as a program, whose size is measured.
package main

import (
	"context"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/bench/replaced/operator"
)

func main() {
	_, ended, err := operator.Run(context.Background(), &rest.Config{Host: os.Args[1]}, func(o metav1.Object) { fmt.Println(o.GetName()) })
	if err == nil {
		err = <-ended
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
