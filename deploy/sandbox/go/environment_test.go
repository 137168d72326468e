package sandbox_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"keelson.dev/sandbox"
)

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, default: 3}}}
`

const webhooks = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: widgets}
webhooks:
- name: widgets.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: webhook, namespace: default, path: /validate}}
  rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [widgets]}]
`

// started starts an Environment, and stops it at the end of the test.
func started(t *testing.T, environment *sandbox.Environment) client.Client {
	t.Helper()
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	made, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func file(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func widget(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": name, "namespace": "default"}, "spec": map[string]any{},
	}}
}

func TestAStartedEnvironmentStoresObjects(t *testing.T) {
	environment := &sandbox.Environment{Args: []string{"--no-controllers"}}
	api := started(t, environment)
	meta := metav1.ObjectMeta{Name: "a", Namespace: "default"}
	if err := api.Create(context.Background(), &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"k": "v"}}); err != nil {
		t.Fatal(err)
	}
	var read corev1.ConfigMap
	if err := api.Get(context.Background(), client.ObjectKey{Namespace: "default", Name: "a"}, &read); err != nil {
		t.Fatal(err)
	}
	if read.Data["k"] != "v" {
		t.Errorf("got %v", read.Data)
	}
	if _, err := environment.Start(); err == nil {
		t.Error("a second Start must fail while the server runs")
	}
}

func TestCRDsOfTheFieldsAreInstalledAtTheStart(t *testing.T) {
	api := started(t, &sandbox.Environment{Environment: envtest.Environment{
		CRDDirectoryPaths: []string{file(t, widgets)}, ErrorIfCRDPathMissing: true}})
	object := widget("a")
	if err := api.Create(context.Background(), object); err != nil {
		t.Fatal(err)
	}
	if size, _, _ := unstructured.NestedInt64(object.Object, "spec", "size"); size != 3 {
		t.Errorf("the default is missing: %v", object.Object)
	}
}

func TestCRDsAndWebhooksCanBeInstalledLater(t *testing.T) {
	environment := &sandbox.Environment{}
	api := started(t, environment)
	options := environment.WebhookInstallOptions
	server := webhook.NewServer(webhook.Options{
		Host: options.LocalServingHost, Port: options.LocalServingPort, CertDir: options.LocalServingCertDir})
	server.Register("/validate", &admission.Webhook{Handler: admission.HandlerFunc(
		func(_ context.Context, request admission.Request) admission.Response {
			return admission.ValidationResponse(request.Name == "good", "the widget is not good")
		})})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Start(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	for server.StartedChecker()(new(http.Request)) != nil && len(ended) == 0 {
	}
	if err := environment.InstallCRDs(file(t, widgets)); err != nil {
		t.Fatal(err)
	}
	if err := environment.InstallWebhooks(file(t, webhooks)); err != nil {
		t.Fatal(err)
	}
	if err := api.Create(ctx, widget("good")); err != nil {
		t.Error(err)
	}
	if err := api.Create(ctx, widget("bad")); err == nil || !strings.Contains(err.Error(), "the widget is not good") {
		t.Errorf("got %v", err)
	}
}

func TestAnEnvironmentCanBeStartedAgain(t *testing.T) {
	environment := &sandbox.Environment{}
	for range 2 {
		if _, err := environment.Start(); err != nil {
			t.Fatal(err)
		}
		if err := environment.Stop(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(environment.KubeConfigPath); !os.IsNotExist(err) {
			t.Errorf("the kubeconfig is not removed: %v", err)
		}
	}
	if err := environment.Stop(); err != nil {
		t.Error(err)
	}
}

func TestAFailedStartIsAnError(t *testing.T) {
	for _, environment := range []*sandbox.Environment{
		{Binary: "/missing/keelson-sandbox"}, {Args: []string{"--port=invalid"}},
		{Environment: envtest.Environment{CRDDirectoryPaths: []string{"/missing"}, ErrorIfCRDPathMissing: true}},
	} {
		if _, err := environment.Start(); err == nil {
			t.Errorf("%v started", environment.Args)
		}
	}
}
