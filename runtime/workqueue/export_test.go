package workqueue

// UnsetProvider undoes [SetProvider].
func UnsetProvider() {
	global.mu.Lock()
	defer global.mu.Unlock()
	global.provider = nil
}
