import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** deploy/sandbox/java/KeelsonSandbox.java with the client of fabric8. */
public final class KeelsonSandboxTest {
  public static void main(String[] arguments) throws Exception {
    aClientWritesAndReads();
    aWatchReceivesEvents();
    aStoppedServerRemovesItsKubeconfigAndCanBeStartedAgain();
    aFailedStartIsAnError();
    System.out.println("4 tests passed");
  }

  private static void aClientWritesAndReads() throws IOException {
    // [use]
    try (KeelsonSandbox sandbox = new KeelsonSandbox().withFlags("--no-controllers").start();
        KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(sandbox.getKubeConfigYaml())).build()) {
      client.configMaps().inNamespace("default").resource(configMap("a")).create();
      ConfigMap read = client.configMaps().inNamespace("default").withName("a").get();
      check(read.getData().get("key").equals("value"));
    }
    // [end]
  }

  private static void aWatchReceivesEvents() throws Exception {
    try (KeelsonSandbox sandbox = new KeelsonSandbox().start();
        KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(sandbox.getKubeConfigYaml())).build()) {
      BlockingQueue<String> events = new LinkedBlockingQueue<>();
      Watcher<ConfigMap> watcher = new Watcher<ConfigMap>() {
        @Override
        public void eventReceived(Action action, ConfigMap object) {
          if (object.getMetadata().getName().equals("b")) events.add(action.name());
        }

        @Override
        public void onClose(WatcherException cause) {}
      };
      try (var watch = client.configMaps().inNamespace("default").watch(watcher)) {
        client.configMaps().inNamespace("default").resource(configMap("b")).create();
        client.configMaps().inNamespace("default").withName("b").edit(
            object -> new ConfigMapBuilder(object).addToData("key", "changed").build());
        client.configMaps().inNamespace("default").withName("b").delete();
        for (String expected : new String[] {"ADDED", "MODIFIED", "DELETED"}) {
          String event = events.poll(60, TimeUnit.SECONDS);
          if (!expected.equals(event)) throw new AssertionError("got " + event + ", not " + expected);
        }
      }
    }
  }

  private static void aStoppedServerRemovesItsKubeconfigAndCanBeStartedAgain() throws IOException {
    KeelsonSandbox sandbox = new KeelsonSandbox();
    for (int i = 0; i < 2; ++i) {
      Path path = sandbox.start().getKubeconfigPath();
      check(Files.exists(path));
      sandbox.stop();
      check(!Files.exists(path));
    }
    sandbox.stop();
  }

  private static void aFailedStartIsAnError() {
    for (KeelsonSandbox sandbox : new KeelsonSandbox[] {
        new KeelsonSandbox("/missing/keelson-sandbox"), new KeelsonSandbox().withFlags("--port=invalid")}) {
      try {
        sandbox.start();
      } catch (IOException expected) {
        continue;
      }
      throw new AssertionError("it started");
    }
  }

  private static ConfigMap configMap(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().addToData("key", "value").build();
  }

  private static void check(boolean holds) {
    if (!holds) throw new AssertionError();
  }
}
