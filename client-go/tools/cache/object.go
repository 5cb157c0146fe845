package cache

// Object is the constraint of type parameters for objects of the API. That they can be compared is not required by
// listwatch's own constraint.
type Object interface {
	comparable

	GetName() string
	GetNamespace() string
}
