// Package apply creates requests for server-side apply.
package apply

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/listwatch/listwatch/runtime/rest"
)

// NewRequest returns a PATCH request whose body is applyConfiguration in JSON, which is valid YAML: the format
// of server-side apply. The caller adds the object's path and the field manager.
func NewRequest(client rest.Interface, applyConfiguration any) (*rest.Request, error) {
	body, err := json.Marshal(applyConfiguration)
	if err != nil {
		return nil, fmt.Errorf("failed to marshal apply configuration: %w", err)
	}
	return client.Patch(types.ApplyYAMLPatchType).Body(body), nil
}
