package v1_test

import (
	"encoding/json"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	metav1ac "github.com/listwatch/listwatch/runtime/applyconfigurations/meta/v1"
)

// The configuration of an object with its owner and a condition has only the fields that are set.
func Example() {
	owner := metav1ac.OwnerReference().WithAPIVersion("library.dev/v1").WithKind("Shelf").WithName("one").WithUID("1234")
	metadata := metav1ac.ObjectMeta().WithName("emma").WithOwnerReferences(owner)
	condition := metav1ac.Condition().WithType("Lent").WithStatus(metav1.ConditionFalse).WithReason("Returned")

	for _, configuration := range []any{metadata, condition} {
		text, err := json.Marshal(configuration)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(text))
	}
	// Output:
	// {"name":"emma","ownerReferences":[{"apiVersion":"library.dev/v1","kind":"Shelf","name":"one","uid":"1234"}]}
	// {"type":"Lent","status":"False","reason":"Returned"}
}
