package tree

// Temporary is temporary, for tests.
var Temporary = temporary
