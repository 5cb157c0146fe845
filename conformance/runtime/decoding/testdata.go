package decoding

import (
	"k8s.io/apimachinery/pkg/runtime"

	t00 "github.com/listwatch/listwatch/testdata/apis/alias-renamed/theatre/v1"
	t01 "github.com/listwatch/listwatch/testdata/apis/alias/theatre/v1"
	t02 "github.com/listwatch/listwatch/testdata/apis/api-path/maps/v1"
	t03 "github.com/listwatch/listwatch/testdata/apis/apply/fields/v1"
	t04 "github.com/listwatch/listwatch/testdata/apis/apply/scaling/v1"
	t05 "github.com/listwatch/listwatch/testdata/apis/cluster-scoped/sites/v1"
	t06 "github.com/listwatch/listwatch/testdata/apis/core-group/core/v1"
	t07 "github.com/listwatch/listwatch/testdata/apis/defined/theatre/v1"
	t08 "github.com/listwatch/listwatch/testdata/apis/dot-import/paper/v1"
	t09 "github.com/listwatch/listwatch/testdata/apis/dotted/k8s.acme.io/v1"
	t10 "github.com/listwatch/listwatch/testdata/apis/embedded-status/clinic/v1"
	t11 "github.com/listwatch/listwatch/testdata/apis/embedded/puppets/v1"
	t12 "github.com/listwatch/listwatch/testdata/apis/expansions/harbour/v1"
	t13 "github.com/listwatch/listwatch/testdata/apis/generic-spec/moulds/v1"
	t14 "github.com/listwatch/listwatch/testdata/apis/generics/moulds/v1"
	t15 "github.com/listwatch/listwatch/testdata/apis/group-digit/printing/v1"
	t16 "github.com/listwatch/listwatch/testdata/apis/group-go-name/otherpolicy/v1"
	t17 "github.com/listwatch/listwatch/testdata/apis/group-go-name/policy/v1"
	t18 "github.com/listwatch/listwatch/testdata/apis/group-keyword/package/v1"
	t19 "github.com/listwatch/listwatch/testdata/apis/grouped/shapes/v1"
	t20 "github.com/listwatch/listwatch/testdata/apis/groups/garden/v1beta1"
	t21 "github.com/listwatch/listwatch/testdata/apis/groups/kitchen/v1"
	t22 "github.com/listwatch/listwatch/testdata/apis/groups/store/v1"
	t23 "github.com/listwatch/listwatch/testdata/apis/hyphenated/my-group/v1"
	t24 "github.com/listwatch/listwatch/testdata/apis/included-types/zoo/v1"
	t25 "github.com/listwatch/listwatch/testdata/apis/incomplete/attic/v1"
	t26 "github.com/listwatch/listwatch/testdata/apis/kubebuilder/api/v1"
	t27 "github.com/listwatch/listwatch/testdata/apis/markers/signs/v1"
	t28 "github.com/listwatch/listwatch/testdata/apis/methods-elsewhere/scaling/v1"
	t29 "github.com/listwatch/listwatch/testdata/apis/methods-elsewhere/works/v1"
	t30 "github.com/listwatch/listwatch/testdata/apis/methods-list/works/v1"
	t31 "github.com/listwatch/listwatch/testdata/apis/methods/works/v1"
	t32 "github.com/listwatch/listwatch/testdata/apis/names-files/trouble/v1"
	t33 "github.com/listwatch/listwatch/testdata/apis/names-generated/trouble/v1"
	t34 "github.com/listwatch/listwatch/testdata/apis/names-imports/trouble/v1"
	t35 "github.com/listwatch/listwatch/testdata/apis/names-keywords/trouble/v1"
	t36 "github.com/listwatch/listwatch/testdata/apis/names-locals/trouble/v1"
	t37 "github.com/listwatch/listwatch/testdata/apis/names-params/trouble/v1"
	t38 "github.com/listwatch/listwatch/testdata/apis/names-typed/trouble/v1"
	t39 "github.com/listwatch/listwatch/testdata/apis/no-fake/truth/v1"
	t40 "github.com/listwatch/listwatch/testdata/apis/no-group-name/gadgets/v1"
	t41 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	t42 "github.com/listwatch/listwatch/testdata/apis/opt-out-client/quiet/v1"
	t43 "github.com/listwatch/listwatch/testdata/apis/opt-out-client/quiet/v2"
	t44 "github.com/listwatch/listwatch/testdata/apis/opt-out/quiet/v1"
	t45 "github.com/listwatch/listwatch/testdata/apis/plurals/farm/v1"
	t46 "github.com/listwatch/listwatch/testdata/apis/pointer-items/fleet/v1"
	t47 "github.com/listwatch/listwatch/testdata/apis/prefers-protobuf/dense/v1"
	t48 "github.com/listwatch/listwatch/testdata/apis/protobuf-types/wire/v1"
	t49 "github.com/listwatch/listwatch/testdata/apis/same-label/networking/v1"
	t50 "github.com/listwatch/listwatch/testdata/apis/same-label/othernetworking/v1"
	t51 "github.com/listwatch/listwatch/testdata/apis/single-directory/flat/v1"
	t52 "github.com/listwatch/listwatch/testdata/apis/verbs-no-get/post/v1"
	t53 "github.com/listwatch/listwatch/testdata/apis/verbs-no-list/post/v1"
	t54 "github.com/listwatch/listwatch/testdata/apis/verbs-unlisted/post/v1"
	t55 "github.com/listwatch/listwatch/testdata/apis/verbs/desk/v1"
	t56 "github.com/listwatch/listwatch/testdata/apis/versions/jobs/v1"
	t57 "github.com/listwatch/listwatch/testdata/apis/versions/jobs/v1alpha1"
	t58 "github.com/listwatch/listwatch/testdata/apis/versions/jobs/v1beta1"
)

// testdata are the packages of testdata/apis that can be registered. Some share groups and kinds,
// so each has its own scheme.
var testdata = []func(*runtime.Scheme) error{
	t00.AddToScheme,
	t01.AddToScheme,
	t02.Install,
	t03.Install,
	t04.Install,
	t05.Install,
	t06.Install,
	t07.AddToScheme,
	t08.Install,
	t09.Install,
	t10.Install,
	t11.AddToScheme,
	t12.Install,
	t13.AddToScheme,
	t14.AddToScheme,
	t15.Install,
	t16.Install,
	t17.Install,
	t18.Install,
	t19.Install,
	t20.Install,
	t21.Install,
	t22.Install,
	t23.Install,
	t24.Install,
	t25.Install,
	t26.AddToScheme,
	t27.Install,
	t28.Install,
	t29.Install,
	t30.Install,
	t31.Install,
	t32.Install,
	t33.Install,
	t34.Install,
	t35.Install,
	t36.Install,
	t37.Install,
	t38.Install,
	t39.Install,
	t40.Install,
	t41.Install,
	t42.Install,
	t43.Install,
	t44.Install,
	t45.Install,
	t46.Install,
	t47.Install,
	t48.Install,
	t49.Install,
	t50.Install,
	t51.Install,
	t52.Install,
	t53.Install,
	t54.Install,
	t55.Install,
	t56.Install,
	t57.Install,
	t58.Install,
}
