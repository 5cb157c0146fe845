package v1

import "github.com/listwatch/listwatch/testdata/apis/alias-renamed/base"

// Disguise is an alias.
//
// +genclient
type Disguise = base.Mask

// DisguiseList is an alias.
type DisguiseList = base.MaskList
