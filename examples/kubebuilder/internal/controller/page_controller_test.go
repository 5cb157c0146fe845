package controller

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	webv1 "github.com/listwatch/listwatch/examples/kubebuilder/api/v1"
)

var _ = Describe("Page controller", func() {
	It("stores a page and its changes", func(ctx SpecContext) {
		page := &webv1.Page{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "home"}, Spec: webv1.PageSpec{Title: "Home"}}
		Expect(k8sClient.Create(ctx, page)).To(Succeed())
		key := client.ObjectKeyFromObject(page)
		stored := &corev1.ConfigMap{}
		content := func() string {
			if k8sClient.Get(ctx, key, stored) != nil {
				return ""
			}
			return stored.Data["index.html"]
		}
		Eventually(content).Should(ContainSubstring("<h1>Home</h1>"))
		Expect(metav1.IsControlledBy(stored, page)).To(BeTrue())

		Eventually(func(g Gomega) {
			g.Expect(k8sClient.Get(ctx, key, page)).To(Succeed())
			g.Expect(page.Status).To(Equal(webv1.PageStatus{ConfigMap: "home", ObservedGeneration: 1}))
		}).Should(Succeed())
		page.Spec.Text = "1 < 2"
		Expect(k8sClient.Update(ctx, page)).To(Succeed())
		Eventually(content).Should(ContainSubstring("<p>1 &lt; 2"))
	})

	It("rejects a page without a title", func(ctx SpecContext) {
		page := &webv1.Page{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "untitled"}}
		Expect(k8sClient.Create(ctx, page)).To(MatchError(ContainSubstring("spec.title")))
	})
})
