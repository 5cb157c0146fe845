package disk

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
)

// The types of what files contain, without which client-go does not read them.
var (
	groupsType    = metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}
	resourcesType = metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}
)

// load decodes a file into list, whose type is then at found. It reports whether the file may be used.
func (d *CachedDiscoveryClient) load(ctx context.Context, name string, want metav1.TypeMeta, found *metav1.TypeMeta, list any) bool {
	d.mu.Lock()
	invalidated := d.invalidated && !d.ours[name]
	d.mu.Unlock()
	if invalidated {
		return false
	}
	content, info, err := d.directory.read(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			klog.FromContext(ctx).V(1).Info("Ignoring discovery cache", "directory", d.directory, "file", name, "err", err)
		}
		return false
	}
	if time.Since(info.ModTime()) > d.ttl {
		return false
	}
	if err := json.Unmarshal(content, list); err != nil || *found != want {
		klog.FromContext(ctx).V(1).Info("Ignoring discovery cache", "directory", d.directory, "file", name, "err", err, "type", *found)
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ours[name] {
		// It was invalidated meanwhile.
		if d.invalidated {
			return false
		}
		d.fresh = false
	}
	return true
}

// save encodes a list, which has its type, to a file.
func (d *CachedDiscoveryClient) save(ctx context.Context, name string, list any) {
	content, err := json.Marshal(list)
	if err == nil {
		err = d.directory.write(name, content)
	}
	if err != nil {
		klog.FromContext(ctx).V(1).Info("Failed to write discovery cache", "directory", d.directory, "file", name, "err", err)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ours[name] = true
}
