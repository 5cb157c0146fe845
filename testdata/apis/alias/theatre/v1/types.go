package v1

import "github.com/listwatch/listwatch/testdata/apis/alias/base"

// Mask is an alias.
//
// +genclient
type Mask = base.Mask

// MaskList is an alias.
type MaskList = base.MaskList
