package clientcmd

import (
	"fmt"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// chosen is a context with its user and cluster, overrides applied.
type chosen struct {
	contextName, userName, clusterName string

	context api.Context
	user    api.AuthInfo
	cluster api.Cluster
}

// choose returns the chosen context. An entry that only the files refer to may be missing; one that an override
// names must exist.
func (c *DirectClientConfig) choose() (chosen, error) {
	var ch chosen
	var err error
	if ch.userName, ch.user, err = c.user(); err != nil {
		return chosen{}, err
	}
	if ch.contextName, ch.context, err = c.context(); err != nil {
		return chosen{}, err
	}
	if ch.clusterName, ch.cluster, err = c.cluster(); err != nil {
		return chosen{}, err
	}
	return ch, nil
}

// name returns the name of the chosen context, and whether an override names it.
func (c *DirectClientConfig) name() (string, bool) {
	switch {
	case c.overrides != nil && c.overrides.CurrentContext != "":
		return c.overrides.CurrentContext, true
	case c.contextName != "":
		return c.contextName, false
	default:
		return c.config.CurrentContext, false
	}
}

func (c *DirectClientConfig) context() (string, api.Context, error) {
	name, overridden := c.name()
	merged := api.NewContext()
	if context := c.config.Contexts[name]; context != nil {
		overrideContext(merged, context)
	} else if overridden {
		return name, api.Context{}, c.missing("context", name)
	}
	if c.overrides != nil {
		overrideContext(merged, &c.overrides.Context)
	}
	return name, *merged, nil
}

func (c *DirectClientConfig) user() (string, api.AuthInfo, error) {
	_, context, _ := c.context()
	name, overridden := context.AuthInfo, false
	if c.overrides != nil && c.overrides.Context.AuthInfo != "" {
		name, overridden = c.overrides.Context.AuthInfo, true
	}
	merged := api.NewAuthInfo()
	if user := c.config.AuthInfos[name]; user != nil {
		overrideAuthInfo(merged, user)
	} else if overridden {
		return name, api.AuthInfo{}, c.missing("auth info", name)
	}
	if c.overrides != nil {
		over := &c.overrides.AuthInfo
		overrideAuthInfo(merged, over)
		// A path must replace data, and data a path.
		if over.ClientKey != "" || len(over.ClientKeyData) > 0 {
			merged.ClientKey, merged.ClientKeyData = over.ClientKey, over.ClientKeyData
		}
		if over.ClientCertificate != "" || len(over.ClientCertificateData) > 0 {
			merged.ClientCertificate, merged.ClientCertificateData = over.ClientCertificate, over.ClientCertificateData
		}
	}
	return name, *merged, nil
}

func (c *DirectClientConfig) cluster() (string, api.Cluster, error) {
	_, context, _ := c.context()
	name, overridden := context.Cluster, false
	if c.overrides != nil && c.overrides.Context.Cluster != "" {
		name, overridden = c.overrides.Context.Cluster, true
	}
	merged := api.NewCluster()
	if c.overrides != nil {
		overrideCluster(merged, &c.overrides.ClusterDefaults)
	}
	if cluster := c.config.Clusters[name]; cluster != nil {
		overrideCluster(merged, cluster)
	} else if overridden {
		return name, api.Cluster{}, c.missing("cluster", name)
	}
	if c.overrides != nil {
		over := &c.overrides.ClusterInfo
		overrideCluster(merged, over)
		// These three contradict each other, so one of them replaces all.
		if over.InsecureSkipTLSVerify || over.CertificateAuthority != "" || len(over.CertificateAuthorityData) > 0 {
			merged.InsecureSkipTLSVerify = over.InsecureSkipTLSVerify
			merged.CertificateAuthority = over.CertificateAuthority
			merged.CertificateAuthorityData = over.CertificateAuthorityData
		}
		// The name in the certificate belongs to the server.
		if over.TLSServerName != "" || over.Server != "" {
			merged.TLSServerName = over.TLSServerName
		}
	}
	return name, *merged, nil
}

func (c *DirectClientConfig) missing(kind, name string) error {
	return fmt.Errorf("%s %q does not exist%s", kind, name, c.place().suffix())
}

// place returns the chosen context and the files to look into for a fault.
func (c *DirectClientConfig) place() place {
	var p place
	p.context, _ = c.name()
	context := c.config.Contexts[p.context]
	if context == nil {
		context = &api.Context{}
	}
	p.addFile(context.LocationOfOrigin)
	if user := c.config.AuthInfos[context.AuthInfo]; user != nil {
		p.addFile(user.LocationOfOrigin)
	}
	if cluster := c.config.Clusters[context.Cluster]; cluster != nil {
		p.addFile(cluster.LocationOfOrigin)
	}
	if len(p.files) == 0 && c.fromAccess {
		for _, file := range c.configAccess.GetLoadingPrecedence() {
			p.addFile(file)
		}
	}
	return p
}
