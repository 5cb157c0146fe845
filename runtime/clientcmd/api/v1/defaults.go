package v1

import "k8s.io/apimachinery/pkg/runtime"

// RegisterDefaults adds the defaults of Config to scheme.
func RegisterDefaults(scheme *runtime.Scheme) error {
	scheme.AddTypeDefaultingFunc(&Config{}, func(obj any) {
		if config, ok := obj.(*Config); ok {
			SetObjectDefaults_Config(config)
		}
	})
	return nil
}

// SetObjectDefaults_Config sets the defaults of all exec plugins in config.
func SetObjectDefaults_Config(config *Config) {
	for i := range config.AuthInfos {
		if exec := config.AuthInfos[i].AuthInfo.Exec; exec != nil {
			SetDefaults_ExecConfig(exec)
		}
	}
}

// SetDefaults_ExecConfig sets an empty InteractiveMode to IfAvailable in the versions that do not require it:
// v1alpha1 and v1beta1.
func SetDefaults_ExecConfig(exec *ExecConfig) {
	if exec.InteractiveMode != "" {
		return
	}
	switch exec.APIVersion {
	case "client.authentication.k8s.io/v1alpha1", "client.authentication.k8s.io/v1beta1":
		exec.InteractiveMode = IfAvailableExecInteractiveMode
	}
}
