import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts keelson-sandbox, in the style of a Testcontainers container. Documentation: docs/sandbox-in-tests.md. */
public final class KeelsonSandbox implements AutoCloseable {
  private static final String READY = "export KUBECONFIG=";
  private static final long TIMEOUT_SECONDS = 20;

  private final List<String> command = new ArrayList<>();
  private Process process;
  private Thread endOfJvm;
  private Path kubeconfig;

  /** The program of the variable KEELSON_SANDBOX, otherwise keelson-sandbox in PATH. */
  public KeelsonSandbox() {
    this(System.getenv().getOrDefault("KEELSON_SANDBOX", "keelson-sandbox"));
  }

  public KeelsonSandbox(String program) {
    command.add(program);
  }

  /** Flags of keelson-sandbox, for example --no-controllers. */
  public KeelsonSandbox withFlags(String... flags) {
    command.addAll(Arrays.asList(flags));
    return this;
  }

  /** Returns when the server is ready to answer requests. */
  public KeelsonSandbox start() throws IOException {
    if (process != null) throw new IllegalStateException("keelson-sandbox is running: call stop() first");
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    // A JVM that ends without stop() leaves no server behind.
    endOfJvm = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(endOfJvm);
    try {
      BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = CompletableFuture.supplyAsync(() -> output.lines().findFirst().orElse("")).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      int at = line.indexOf(READY);
      if (at < 0) throw new IOException("keelson-sandbox did not start; its output on stderr has the reason");
      kubeconfig = Path.of(line.substring(at + READY.length()));
      return this;
    } catch (TimeoutException late) {
      stop();
      throw new IOException("keelson-sandbox was not ready after " + TIMEOUT_SECONDS + " s", late);
    } catch (InterruptedException interrupted) {
      stop();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keelson-sandbox starts", interrupted);
    } catch (Exception failed) {
      stop();
      throw failed instanceof IOException ? (IOException) failed : new IOException(failed);
    }
  }

  /** The kubeconfig file of a started server. */
  public Path getKubeconfigPath() {
    if (kubeconfig == null) throw new IllegalStateException("keelson-sandbox is not running: call start() first");
    return kubeconfig;
  }

  /** The text of the kubeconfig, as K3sContainer.getKubeConfigYaml() returns it. */
  public String getKubeConfigYaml() throws IOException {
    return Files.readString(getKubeconfigPath());
  }

  /** Stops the server, which removes its kubeconfig. A further call has no effect. */
  public void stop() {
    if (process == null) return;
    process.destroy();
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(endOfJvm);
    } catch (IllegalStateException ending) {
      // The JVM ends, and runs the hook.
    }
    process = null;
    kubeconfig = null;
  }

  @Override
  public void close() {
    stop();
  }
}
