package framework

// FakePVControllerSource is a [FakeControllerSource] under the name that tests of
// persistent volumes use.
type FakePVControllerSource struct {
	FakeControllerSource
}

// FakePVCControllerSource is a [FakeControllerSource] under the name that tests of
// persistent volume claims use.
type FakePVCControllerSource struct {
	FakeControllerSource
}

// NewFakePVControllerSource returns a source without objects.
func NewFakePVControllerSource() *FakePVControllerSource {
	s := &FakePVControllerSource{}
	s.init()
	return s
}

// NewFakePVCControllerSource returns a source without objects.
func NewFakePVCControllerSource() *FakePVCControllerSource {
	s := &FakePVCControllerSource{}
	s.init()
	return s
}
