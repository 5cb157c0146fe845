package plugins

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

func TestMergeTolerations(t *testing.T) {
	exists := func(key string, effect corev1.TaintEffect) corev1.Toleration {
		return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: effect}
	}
	equal := func(key, value string) corev1.Toleration {
		return corev1.Toleration{Key: key, Operator: corev1.TolerationOpEqual, Value: value, Effect: corev1.TaintEffectNoSchedule}
	}
	timed := func(seconds int64) corev1.Toleration {
		out := exists("a", corev1.TaintEffectNoExecute)
		out.TolerationSeconds = &seconds
		return out
	}
	forever := exists("a", corev1.TaintEffectNoExecute)
	for _, c := range []struct {
		name               string
		first, second, all []corev1.Toleration
	}{
		{"different", []corev1.Toleration{equal("a", "x")}, []corev1.Toleration{equal("a", "y")}, []corev1.Toleration{equal("a", "x"), equal("a", "y")}},
		{"equal", []corev1.Toleration{equal("a", "x")}, []corev1.Toleration{equal("a", "x")}, []corev1.Toleration{equal("a", "x")}},
		{"the second includes the first", []corev1.Toleration{equal("a", "x")}, []corev1.Toleration{exists("a", "")}, []corev1.Toleration{exists("a", "")}},
		{"the first includes the second", []corev1.Toleration{exists("", "")}, []corev1.Toleration{equal("a", "x")}, []corev1.Toleration{exists("", "")}},
		{"another effect", []corev1.Toleration{exists("a", corev1.TaintEffectNoExecute)}, []corev1.Toleration{equal("a", "x")}, []corev1.Toleration{exists("a", corev1.TaintEffectNoExecute), equal("a", "x")}},
		{"a longer time", []corev1.Toleration{timed(5)}, []corev1.Toleration{timed(9)}, []corev1.Toleration{timed(9)}},
		{"for ever", []corev1.Toleration{timed(5)}, []corev1.Toleration{forever}, []corev1.Toleration{forever}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mergeTolerations(c.first, c.second); !equality.Semantic.DeepEqual(got, c.all) {
				t.Errorf("got %v, want %v", got, c.all)
			}
		})
	}
}
