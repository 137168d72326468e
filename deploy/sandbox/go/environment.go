// Package sandbox replaces the API server and etcd of envtest with keelson-sandbox. Documentation: docs/sandbox-in-tests.md.
package sandbox

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Environment has the fields of envtest's Environment (Config, CRDDirectoryPaths, WebhookInstallOptions, …). Fields that
// configure binaries of envtest are ignored.
type Environment struct {
	envtest.Environment
	// Binary is the program. Default: the variable KEELSON_SANDBOX, then keelson-sandbox in PATH.
	Binary string
	// Args are flags of keelson-sandbox, for example --no-controllers, with which it behaves as envtest.
	Args []string
	// KubeConfigPath is the kubeconfig file of a started Environment.
	KubeConfigPath string

	process *exec.Cmd
}

// Start starts the server, installs the CRDs and webhooks of the fields, and returns Config.
func (e *Environment) Start() (*rest.Config, error) {
	if e.process != nil {
		return nil, errors.New("keelson-sandbox is running: call Stop first")
	}
	if err := e.startServer(); err != nil {
		return nil, fmt.Errorf("keelson-sandbox: %w", errors.Join(err, e.stopServer()))
	}
	isRunning := true
	e.UseExistingCluster = &isRunning
	if _, err := e.Environment.Start(); err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	return e.Config, nil
}

// Stop stops the server, and returns an error if the server did not end properly. A further call has no effect.
func (e *Environment) Stop() error {
	if e.process == nil {
		return nil
	}
	return errors.Join(e.Environment.Stop(), e.stopServer())
}

// InstallCRDs installs the CRDs of files or folders in a started Environment, and waits until the server has them.
func (e *Environment) InstallCRDs(paths ...string) error {
	options := e.CRDInstallOptions
	options.Paths, options.CRDs, options.ErrorIfPathMissing = paths, nil, true
	_, err := envtest.InstallCRDs(e.Config, options)
	return err
}

// InstallWebhooks installs the webhook configurations of files or folders in a started Environment. They call the address
// and trust the certificate in WebhookInstallOptions, which stay the same.
func (e *Environment) InstallWebhooks(paths ...string) error {
	options := e.WebhookInstallOptions
	options.Paths, options.MutatingWebhooks, options.ValidatingWebhooks = paths, nil, nil
	err := options.PrepWithoutInstalling()
	defer options.Cleanup() // of the certificate that was created by the line above
	if err != nil {
		return err
	}
	options.LocalServingCAData = e.WebhookInstallOptions.LocalServingCAData
	if err := options.ModifyWebhookDefinitions(); err != nil {
		return err
	}
	return options.Install(e.Config)
}

func (e *Environment) startServer() error {
	binary := cmp.Or(e.Binary, os.Getenv("KEELSON_SANDBOX"), "keelson-sandbox")
	process := exec.Command(binary, e.Args...)
	process.Stderr = os.Stderr // only warnings and errors
	stdout, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	e.process = process
	timer := time.AfterFunc(cmp.Or(e.ControlPlaneStartTimeout, 20*time.Second), func() { process.Process.Kill() })
	defer timer.Stop()
	// The server prints a single line, when it is ready: keelson-sandbox is ready at URL: export KUBECONFIG=FILE
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	_, path, isReady := strings.Cut(strings.TrimSpace(line), "export KUBECONFIG=")
	if !isReady {
		return errors.New("the server ended, or did not become ready in time; its output has the reason")
	}
	e.KubeConfigPath = path
	if e.KubeConfig, err = os.ReadFile(path); err != nil {
		return err
	}
	e.Config, err = clientcmd.RESTConfigFromKubeConfig(e.KubeConfig)
	return err
}

func (e *Environment) stopServer() error {
	if e.process == nil {
		return nil
	}
	process := e.process
	e.process = nil
	timer := time.AfterFunc(cmp.Or(e.ControlPlaneStopTimeout, 20*time.Second), func() { process.Process.Kill() })
	defer timer.Stop()
	process.Process.Signal(syscall.SIGTERM)
	return process.Wait()
}
