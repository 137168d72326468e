// A replica of another implementation: client-go's own leader elector, which competes for the lease of our managers.
//
//	elector --kubeconfig FILE --namespace NS --name LEASE --identity WHO --lease-duration 3s --renew-deadline 2s --retry-period 1s
//
// While it leads it repeatedly increments the ConfigMap "work", as its leader-elected work. SIGTERM releases the lease;
// a lost lease ends it with exit code 1, as in controller-runtime.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func fail(err error) {
	fmt.Fprintln(os.Stderr, "elector:", err)
	os.Exit(2)
}

// A sequence of small writes, which must never overlap with those of another leader.
func work(ctx context.Context, client kubernetes.Interface, namespace string) {
	maps := client.CoreV1().ConfigMaps(namespace)
	for count := 0; ctx.Err() == nil; count++ {
		_, err := maps.Patch(ctx, "work", "application/merge-patch+json",
			[]byte(fmt.Sprintf(`{"data":{"count":"%d"}}`, count)), metav1.PatchOptions{})
		if errors.IsNotFound(err) {
			object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "work"}}
			_, err = maps.Create(ctx, object, metav1.CreateOptions{})
		}
		if err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "elector: work:", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "where the API server is")
	namespace := flag.String("namespace", "default", "of the lease")
	name := flag.String("name", "", "of the lease")
	identity := flag.String("identity", "", "who competes")
	leaseDuration := flag.Duration("lease-duration", 15*time.Second, "")
	renewDeadline := flag.Duration("renew-deadline", 10*time.Second, "")
	retryPeriod := flag.Duration("retry-period", 2*time.Second, "")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		fail(err)
	}
	config.UserAgent = *identity
	config.QPS = -1
	working, err := kubernetes.NewForConfig(config)
	if err != nil {
		fail(err)
	}
	lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, *namespace, *name,
		resourcelock.ResourceLockConfig{Identity: *identity}, rest.CopyConfig(config), *renewDeadline)
	if err != nil {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:            lock,
		ReleaseOnCancel: true,
		LeaseDuration:   *leaseDuration,
		RenewDeadline:   *renewDeadline,
		RetryPeriod:     *retryPeriod,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) { work(ctx, working, *namespace) },
			OnStoppedLeading: func() {
				if ctx.Err() == nil {
					fmt.Fprintln(os.Stderr, "elector: leader election lost")
					os.Exit(1)
				}
			},
		},
	})
}
