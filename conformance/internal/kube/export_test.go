package kube

// BuildFrom is [Build] from another module.
var BuildFrom = build

// Dir is the server's directory.
func (s *Server) Dir() string { return s.dir }

// Port is the port that the server holds.
func (s *Server) Port() int { return s.port.number }

// KillAPIServer simulates a crash.
func (s *Server) KillAPIServer() { s.apiServer.kill() }
