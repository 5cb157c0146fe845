// Package apply makes requests for server-side apply.
package apply

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/listwatch/listwatch/runtime/rest"
)

// NewRequest returns a PATCH request of a client whose body is applyConfiguration in JSON, which is valid
// YAML: the format of server-side apply. What is to be patched, and by whom, is for the caller to add.
func NewRequest(client rest.Interface, applyConfiguration any) (*rest.Request, error) {
	body, err := json.Marshal(applyConfiguration)
	if err != nil {
		return nil, fmt.Errorf("failed to marshal apply configuration: %w", err)
	}
	return client.Patch(types.ApplyYAMLPatchType).Body(body), nil
}
