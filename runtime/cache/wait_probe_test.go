package cache

import "testing"

// What is asked directly is waited for without asking again.
func TestAskKnowsWhatIsDirect(t *testing.T) {
	informer := NewSharedIndexInformer(nil, nil, 0, nil)
	handler, err := informer.AddEventHandler(ResourceEventHandlerFuncs{})
	if err != nil {
		t.Fatal(err)
	}
	_, private := NewInformer(nil, nil, 0, ResourceEventHandlerFuncs{})
	queue := NewDeltaFIFOWithOptions(DeltaFIFOOptions{})
	embedding := struct{ SharedIndexInformer }{informer}
	for _, test := range []struct {
		name   string
		synced InformerSynced
		known  bool
		direct bool
	}{
		{"informer", informer.HasSynced, true, true},
		{"concrete informer", informer.(*sharedInformer).HasSynced, true, true},
		{"view", embedding.HasSynced, true, true},
		{"handler", handler.HasSynced, true, true},
		{"controller of one handler", private.HasSynced, true, true},
		{"controller of an informer", informer.GetController().HasSynced, true, true},
		{"controller of a queue", New(&Config{Queue: queue}).HasSynced, true, false},
		{"function around an informer", func() bool { return informer.HasSynced() }, true, false},
		{"function without an informer", func() bool { return false }, false, false},
		{"function that asks elsewhere", func() bool {
			asked := make(chan bool)
			go func() { asked <- informer.HasSynced() }()
			return <-asked
		}, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synced, checker, direct := ask(test.synced)
			if synced || (checker != nil) != test.known || direct != test.direct {
				t.Errorf("ask gives %v, %v, direct: %v; want known: %v, direct: %v", synced, checker, direct, test.known, test.direct)
			}
		})
	}
	if p := activeProbe.Load(); p != nil {
		t.Error("a probe is left")
	}
}

// While one waiter has the probe, others do without.
func TestAskWithoutTheProbe(t *testing.T) {
	informer := NewSharedIndexInformer(nil, nil, 0, nil)
	outer := func() bool {
		synced, checker, direct := ask(informer.HasSynced)
		if synced || checker != nil || direct {
			t.Errorf("ask inside of ask gives %v, %v, direct: %v", synced, checker, direct)
		}
		return true
	}
	if synced, _, _ := ask(outer); !synced {
		t.Error("ask gives false")
	}
	// What the inner one found would be what the outer one waits for.
	if !asking.TryLock() {
		t.Fatal("the probe is still taken")
	}
	asking.Unlock()
}

// What the function asks itself counts, not what somebody else asks meanwhile.
func TestAskAmongOthers(t *testing.T) {
	mine, others := NewSharedIndexInformer(nil, nil, 0, nil), NewSharedIndexInformer(nil, nil, 0, nil)
	p := &probe{}
	p.tell(others.HasSyncedChecker())
	activeProbe.Store(p)
	defer activeProbe.Store(nil)
	askWithProbe(mine.HasSynced)
	others.HasSynced()
	if p.checker != mine.HasSyncedChecker() || !p.direct {
		t.Errorf("found %v, direct: %v", p.checker, p.direct)
	}
}
