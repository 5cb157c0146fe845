package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// projects are modules of the Go module proxy, whose scripts run both code-generator and controller-gen: a large one and a small one.
var projects = []input{
	{
		name:       "kueue v0.17.0",
		module:     "kueue",
		proxy:      "sigs.k8s.io/kueue@v0.17.0",
		output:     "sigs.k8s.io/kueue/pkg/generated",
		clientset:  "versioned",
		base:       "sigs.k8s.io/kueue/apis",
		versions:   []string{"kueue/v1beta1", "kueue/v1beta2", "visibility/v1beta1", "visibility/v1beta2"},
		contenders: projectTools,
		patterns:   "...",
		roots:      []string{"./apis/...", "./pkg/controller/...", "./pkg/webhooks/...", "./pkg/util/cert/...", "./pkg/visibility/..."},
		client:     []string{"--apply-configuration-package=sigs.k8s.io/kueue/pkg/generated/applyconfiguration"},
	},
	{
		name:       "lws v0.8.0",
		module:     "lws",
		proxy:      "sigs.k8s.io/lws@v0.8.0",
		output:     "sigs.k8s.io/lws/pkg/generated",
		clientset:  "versioned",
		base:       "sigs.k8s.io/lws/api",
		versions:   []string{"leaderworkerset/v1"},
		contenders: projectTools,
		patterns:   "...",
		roots:      []string{"./api/...", "./pkg/..."},
		client:     []string{"--apply-configuration-package=sigs.k8s.io/lws/pkg/generated/applyconfiguration"},
	},
}

// download downloads the modules of inputs, and returns the inputs with their directories.
func download(ctx context.Context, f folders, inputs []input) ([]input, error) {
	inputs = slices.Clone(inputs)
	for i := range inputs {
		text, err := goCommand(ctx, f.bench, "mod", "download", "-json", inputs[i].proxy)
		if err != nil {
			return nil, err
		}
		var module struct{ Dir string }
		if err = json.Unmarshal([]byte(text), &module); err != nil {
			return nil, fmt.Errorf("go mod download: %w", err)
		}
		inputs[i].from = module.Dir
	}
	return inputs, nil
}
