package sharing_test

import (
	"fmt"
	"log"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/sharing"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// With the transform, equal labels of different objects are one map. Informers get it from the option WithTransform
// of their factory.
func ExampleTransform() {
	genre := map[string]string{"genre": "novel"}
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma", Labels: maps.Clone(genre)}}
	persuasion := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "persuasion", Labels: maps.Clone(genre)}}

	transform := sharing.Transform()
	for _, book := range []*v1.Book{emma, persuasion} {
		if _, err := transform(book); err != nil {
			log.Fatal(err)
		}
	}
	emma.Labels["lent"] = "yes" // never modify cached objects: this changes the other one too
	fmt.Println(persuasion.Labels)
	// Output: map[genre:novel lent:yes]
}
