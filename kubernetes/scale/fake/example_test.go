package fake_test

import (
	"context"
	"fmt"
	"log"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/kubernetes/scale/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

// The fake has no objects: reactors return what a test wants.
func Example() {
	client := &fake.FakeScaleClient{}
	client.AddReactor("get", "deployments", func(action testing.Action) (bool, runtime.Object, error) {
		return true, &autoscalingv1.Scale{
			ObjectMeta: metav1.ObjectMeta{Name: action.(testing.GetAction).GetName()},
			Spec:       autoscalingv1.ScaleSpec{Replicas: 3},
		}, nil
	})

	scale, err := client.Scales("default").Get(context.Background(), schema.GroupResource{Group: "apps", Resource: "deployments"}, "web", metav1.GetOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(scale.Name, scale.Spec.Replicas)
	// Output: web 3
}
