package custom

import (
	"testing"
	"time"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The handler delays creations for two seconds if a CRD has just been established.
func TestServedDefinitionIsNeverNew(t *testing.T) {
	crd := &v1.CustomResourceDefinition{}
	now := metav1.NewTime(time.Now())
	crd.Status.Conditions = []v1.CustomResourceDefinitionCondition{
		{Type: v1.NamesAccepted, Status: v1.ConditionTrue, LastTransitionTime: now},
		{Type: v1.Established, Status: v1.ConditionTrue, LastTransitionTime: now},
	}
	s := &served{}
	s.update(crd)
	if got := s.definition.Load().Status.Conditions[1].LastTransitionTime; !got.IsZero() {
		t.Errorf("established since %v", got)
	}
	if crd.Status.Conditions[1].LastTransitionTime != now {
		t.Error("the definition itself was changed")
	}
}
