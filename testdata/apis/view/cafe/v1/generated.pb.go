package v1

// A kind whose types have protobuf methods has them in a file of this name. Those of this case are not needed.
