package codec

import (
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
)

// readNumbers returns why an annotation cannot be read which the real server converts to a field of its own.
func readNumbers(obj any) error {
	switch o := obj.(type) {
	case *appsv1.DaemonSet:
		if text, ok := o.Annotations[appsv1.DeprecatedTemplateGeneration]; ok {
			_, err := strconv.ParseInt(text, 10, 64)
			return err
		}
	case *appsv1.Deployment:
		text := o.Annotations[appsv1.DeprecatedRollbackTo]
		if text == "" {
			return nil
		}
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return fmt.Errorf("failed to parse annotation[%s]=%s as int64: %w", appsv1.DeprecatedRollbackTo, text, err)
		}
	}
	return nil
}
