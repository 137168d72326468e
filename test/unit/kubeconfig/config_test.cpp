#include "keelson/detail/kubeconfig/config.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>

#include "keelson/detail/base/limits.hpp"
#include "src/kubeconfig/kubeconfig.hpp"
#include "test/unit/kubeconfig/config_from.hpp"

namespace keelson::kube {
namespace {

using namespace fixtures;

// A file in the temporary directory that is removed after the test.
class TemporaryFile {
 public:
  TemporaryFile() { descriptor_ = ::mkstemp(path_.data()); }
  ~TemporaryFile() {
    ::close(descriptor_);
    ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  void write(std::string_view text) { REQUIRE(::write(descriptor_, text.data(), text.size()) > 0); }
  void grow_to(std::size_t size) { REQUIRE(::ftruncate(descriptor_, static_cast<off_t>(size)) == 0); }

 private:
  std::string path_ = "/tmp/keelson-config-test-XXXXXX";
  int descriptor_ = -1;
};

}  // namespace

TEST_CASE("the sources are, in order, the flag, KUBECONFIG, the in-cluster configuration and the home directory") {
  FakeEnvironment files;
  files.file("/root/.kube/config", for_server("https://home"));
  CHECK(load(files)->server == "https://home");

  files.service_account();
  CHECK(load(files)->server == "https://10.96.0.1:443");

  files.file("/env", for_server("https://env")).variable("KUBECONFIG", "/env");
  CHECK(load(files)->server == "https://env");

  files.file("/flag", for_server("https://flag"));
  CHECK(load(files, "/flag")->server == "https://flag");
}

TEST_CASE("a connection names its source") {
  FakeEnvironment files;
  files.service_account();
  CHECK(load(files)->source == "in-cluster");

  files.file("/a", for_server("https://a")).file("/b", "users: []").variable("KUBECONFIG", "/b::/a:/b:/none");
  auto config = load(files);

  REQUIRE(config);
  CHECK(config->source == R"(kubeconfig /b:/a, context "dev")");
  CHECK(config->ns == "team");
}

TEST_CASE("a file that the flag names must exist and be a kubeconfig") {
  FakeEnvironment files;
  files.file("/bad", "users: 7").service_account();

  CHECK(load(files, "/none").error().text == "stat /none: no such file or directory");
  CHECK(load(files, "/bad").error().text ==
        "error loading config file \"/bad\": users: expected an array, found a number");
}

TEST_CASE("without any configuration the error names the flag, the variable and what in-cluster configuration lacks") {
  FakeEnvironment files;
  const std::string text = kNoConfiguration;
  CHECK(text.find("--kubeconfig") != std::string::npos);
  CHECK(text.find("KUBECONFIG") != std::string::npos);

  CHECK(load(files).error().text ==
        std::string(kNoConfiguration) +
            "; unable to load in-cluster config: unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and "
            "KUBERNETES_SERVICE_PORT must be defined");
  files.home = "";
  CHECK(load(files).error().text.starts_with(kNoConfiguration));
}

TEST_CASE(
    "a KUBECONFIG of which no file exists is named, by the error or before the in-cluster configuration is used") {
  FakeEnvironment files;
  files.file("/root/.kube/config", for_server("https://home")).variable("KUBECONFIG", "/typo:/other");

  CHECK(load(files).error().text ==
        "KUBECONFIG=/typo:/other: no such file or directory; correct the variable, or unset it to use ~/.kube/config");

  files.service_account();
  const auto in_cluster = load(files);
  REQUIRE(in_cluster);
  CHECK(in_cluster->source == "in-cluster");
  CHECK(in_cluster->warnings == std::vector<std::string>{"Config not found: /typo, /other"});

  files.file("/other", "users: []");
  CHECK(load(files)->warnings.empty());
}

TEST_CASE("an empty kubeconfig falls back to the in-cluster configuration, a malformed one does not") {
  FakeEnvironment files;
  files.service_account().file("/empty", "").file("/broken", "current-context: gone");

  CHECK(load(files, "/empty")->source == "in-cluster");
  CHECK(load(files, "/broken").error().text.starts_with("invalid configuration: [context was not found"));

  files.without(FakeEnvironment::kServiceAccount + "token");
  CHECK(load(files, "/empty").error().text == kNoConfiguration);
}

TEST_CASE("in a pod the configuration comes from the service account") {
  FakeEnvironment files;
  files.service_account();

  auto config = load(files);

  REQUIRE(config);
  CHECK(config->token == "pod-token");
  CHECK(config->token_file == FakeEnvironment::kServiceAccount + "token");
  CHECK(config->ca_file == FakeEnvironment::kServiceAccount + "ca.crt");
  CHECK(config->tls.ca_pem->starts_with("-----BEGIN"));
  CHECK(config->ns == "keelson-system");
  CHECK(config->warnings.empty());

  files.without(FakeEnvironment::kServiceAccount + "namespace").variable("POD_NAMESPACE", "from-variable");
  CHECK(load(files)->ns == "from-variable");
  files.variable("POD_NAMESPACE", "");
  CHECK(load(files)->ns == "default");
}

TEST_CASE("there is no fallback to an in-cluster configuration without host, port and token") {
  for (const char* variable : {"KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"}) {
    INFO(variable);
    FakeEnvironment files;
    files.file("/empty", "").service_account().variable(variable, "");
    CHECK(load(files, "/empty").error().text == kNoConfiguration);
  }
  FakeEnvironment files;
  files.file("/empty", "").service_account().without(FakeEnvironment::kServiceAccount + "token");
  CHECK(load(files, "/empty").error().text == kNoConfiguration);
}

TEST_CASE("an IPv6 service host is written in brackets") {
  FakeEnvironment files;
  files.service_account().variable("KUBERNETES_SERVICE_HOST", "fd00::1");

  auto config = load(files);

  REQUIRE(config);
  CHECK(config->server == "https://[fd00::1]:443");
  CHECK(config->url.origin.host == "fd00::1");
  CHECK(config->url.origin.port == "443");
}

TEST_CASE("a pod without a usable CA trusts the system's CAs, with a warning") {
  const auto path = FakeEnvironment::kServiceAccount + "ca.crt";
  FakeEnvironment files;
  files.service_account().without(path);
  auto missing = load(files);
  auto garbage = load(files.file(path, "no certificate"));

  REQUIRE(missing);
  REQUIRE(garbage);
  CHECK_FALSE(missing->tls.ca_pem);
  CHECK_FALSE(garbage->tls.ca_pem);
  CHECK(missing->warnings == std::vector<std::string>{"Expected to load root CA config from " + path +
                                                      ", but got err: open " + path + ": no such file or directory"});
  CHECK(garbage->warnings.front().ends_with("does not contain any valid RSA or ECDSA certificates"));
}

TEST_CASE("certificates come from data or from files, and the names of files are stored for reloading") {
  FakeEnvironment files;
  files.file("/ca", "CA").file("/c", "CERT").file("/key", "KEY").file("/void", "");
  const std::string ca_file = "{server: 'https://h', certificate-authority: /ca}";
  files.file("/files", kubeconfig(ca_file, "{client-certificate: /c, client-key: /key}"));
  files.file("/mixed", kubeconfig("{server: 'https://h', certificate-authority-data: REFUQQ==}",
                                  "{client-certificate-data: REFUQQ==, client-key: /key}"));
  files.file("/nothing", kubeconfig("{server: 'https://h', certificate-authority: /void}"));

  auto from_files = load(files, "/files");
  auto mixed = load(files, "/mixed");
  auto nothing = load(files, "/nothing");

  REQUIRE(from_files);
  CHECK(from_files->tls.ca_pem == "CA");
  CHECK(from_files->tls.certificate_pem == "CERT");
  CHECK(from_files->tls.key_pem == "KEY");
  CHECK(from_files->ca_file == "/ca");
  CHECK(from_files->certificate_file == "/c");
  CHECK(from_files->key_file == "/key");
  REQUIRE(mixed);
  CHECK(mixed->tls.ca_pem == "DATA");
  CHECK(mixed->tls.certificate_pem == "DATA");
  CHECK(mixed->tls.key_pem == "KEY");
  CHECK(mixed->ca_file.empty());
  CHECK(mixed->certificate_file.empty());
  CHECK(mixed->key_file.empty());
  REQUIRE(nothing);
  CHECK(nothing->tls.ca_pem == "");
}

TEST_CASE("a server without TLS gets no credentials, only the impersonation") {
  FakeEnvironment files;
  files.file("/k", kubeconfig("{server: 'http://h', insecure-skip-tls-verify: true, certificate-authority-data: Q0E=}",
                              "{token: secret, exec: {command: aws, apiVersion: client.authentication.k8s.io/v1beta1}, "
                              "client-certificate-data: Q0E=, client-key-data: Q0E=, as: jane}"));

  auto config = load(files, "/k");

  REQUIRE(config);
  CHECK(config->token.empty());
  CHECK(config->tls.certificate_pem.empty());
  CHECK_FALSE(config->tls.ca_pem);
  CHECK_FALSE(config->tls.insecure_skip_verify);
  CHECK(config->impersonation.user == "jane");
  CHECK(config->warnings ==
        std::vector<std::string>{R"(credentials of user "u" are not sent: the server http://h does not use TLS)"});
}

TEST_CASE("a server is a URL, or a host for plain HTTP, without query and user") {
  FakeEnvironment files;
  auto server_of = [&](const std::string& server) {
    files.file("/k", for_server(server));
    auto config = load(files, "/k");
    return config ? config->server : config.error().text;
  };

  CHECK(server_of("https://h/k8s/c?x=1#y") == "https://h/k8s/c");
  CHECK(server_of("localhost:8080") == "http://localhost:8080");
  CHECK(server_of("10.0.0.1") == "http://10.0.0.1");
  const std::string where = R"(server of cluster "c" in kubeconfig /k, context "dev": )";
  CHECK(server_of("h/path") == where + R"(host must be a URL or a host:port pair: "h/path")");
  CHECK(server_of("https://me:secret@h") == where + "must not contain a user or password");
  CHECK(load(files.file("/k", for_server("https://h/k8s/c")), "/k")->url.path_prefix == "/k8s/c");
}

TEST_CASE("the other fields of cluster and user are used") {
  FakeEnvironment files;
  files.file("/k", kubeconfig("{server: 'https://h', tls-server-name: name, insecure-skip-tls-verify: true, "
                              "disable-compression: true}",
                              "{username: me, password: secret, as: jane, as-uid: '1', as-groups: [g], "
                              "as-user-extra: {a: [b]}}"));

  auto config = load(files, "/k");

  REQUIRE(config);
  CHECK(config->tls.server_name == "name");
  CHECK(config->tls.insecure_skip_verify);
  CHECK(config->disable_compression);
  CHECK(config->username == "me");
  CHECK(config->password == "secret");
  CHECK(config->impersonation.uid == "1");
  CHECK(config->impersonation.groups == std::vector<std::string>{"g"});
  CHECK(config->impersonation.extra.at("a") == std::vector<std::string>{"b"});
}

TEST_CASE("a token file is read if there is no token, and must exist") {
  FakeEnvironment files;
  files.file("/t", " from-file\n");
  files.file("/both", kubeconfig("{server: 'https://h'}", "{token: inline, tokenFile: /none}"));
  files.file("/file", kubeconfig("{server: 'https://h'}", "{tokenFile: /t}"));

  CHECK(load(files, "/both")->token == "inline");
  CHECK(load(files, "/both")->token_file == "/none");
  CHECK(load(files, "/file")->token == "from-file");
}

TEST_CASE(
    "fields that are missing, cannot be sent or exclude each other are rejected, and the error names their place") {
  struct Case {
    std::string cluster;
    std::string user;
    std::string error;
  };
  const std::string server = "{server: 'https://h'}";
  const std::string of_cluster = R"( of cluster "c" in kubeconfig /k, context "dev": )";
  const std::string of_user = R"( of user "u" in kubeconfig /k, context "dev": )";
  const std::string unsendable = "invalid header field value for ";
  const std::vector<Case> cases = {
      {"{server: 'ftp://h'}", "{}",
       "server" + of_cluster + R"(invalid server URL "ftp://h": unsupported protocol scheme "ftp")"},
      {"{server: 'a://h'}", "{}",
       "server" + of_cluster + R"(invalid server URL "a://h": unsupported protocol scheme "a")"},
      {"{server: 'https://h', insecure-skip-tls-verify: true, certificate-authority-data: Q0E=}", "{}",
       "insecure-skip-tls-verify" + of_cluster +
           "specifying a root certificates file with the insecure flag is not allowed"},
      {server, "{tokenFile: /none}", "tokenFile" + of_user + "open /none: no such file or directory"},
      {server, "{tokenFile: /forbidden}", "tokenFile" + of_user + "open /forbidden: permission denied"},
      {server, "{tokenFile: /evil}", "tokenFile" + of_user + unsendable + R"("Authorization")"},
      {server, R"({token: "secret\nX-Evil: 1"})", "token" + of_user + unsendable + R"("Authorization")"},
      {server, "{tokenFile: /t, username: me}",
       "username" + of_user + "username/password or bearer token may be set, but not both"},
      {server, R"({as: "jane\r\nX-Evil: 1"})", "as" + of_user + unsendable + R"("Impersonate-User")"},
      {server, R"({as: jane, as-uid: "1\n"})", "as-uid" + of_user + unsendable + R"("Impersonate-Uid")"},
      {server, R"({as: jane, as-groups: [g, "h\n"]})", "as-groups" + of_user + unsendable + R"("Impersonate-Group")"},
      {server, R"({as: jane, as-user-extra: {a: ["b\n"]}})",
       "as-user-extra" + of_user + unsendable + R"("Impersonate-Extra")"},
  };
  FakeEnvironment files;
  files.file("/t", "t").file("/evil", "secret\nX-Evil: 1").unreadable("/forbidden");

  for (const auto& [cluster, user, error] : cases) {
    INFO(cluster + " " + user);
    CHECK(error_of(files, kubeconfig(cluster, user)) == error);
  }
}

TEST_CASE("a context without a namespace means the default one") {
  FakeEnvironment files;
  files.file("/k",
             "contexts: [{name: dev, context: {cluster: c}}]\ncurrent-context: dev\n"
             "clusters: [{name: c, cluster: {server: 'https://h'}}]");

  auto config = load(files, "/k");

  REQUIRE(config);
  CHECK(config->ns == "default");
  CHECK(config->token.empty());
}

TEST_CASE("local files are read whole, up to the limit, with Go's error texts") {
  auto read_file = process_environment().read_file;
  TemporaryFile file;
  file.write("content");
  auto small = read_file(file.path());
  file.grow_to(limits::kLocalFileBytes);
  auto largest = read_file(file.path());
  file.grow_to(limits::kLocalFileBytes + 1);
  auto too_large = read_file(file.path());

  REQUIRE(small);
  CHECK(*small == "content");
  REQUIRE(largest);
  CHECK((*largest)->size() == limits::kLocalFileBytes);
  REQUIRE_FALSE(too_large);
  CHECK(too_large.error().text == "read " + file.path() + ": larger than 8388608 bytes");
  CHECK(read_file("/tmp").error().text == "read /tmp: is a directory");
  CHECK(read_file(file.path() + "/x").error().text == "open " + file.path() + "/x: not a directory");
  auto missing = read_file(file.path() + "-missing");
  REQUIRE(missing);
  CHECK_FALSE(*missing);
}

TEST_CASE("the environment of the process has its variables and directories") {
  auto environment = process_environment();

  CHECK(environment.working_directory.starts_with("/"));
  CHECK(environment.home.starts_with("/"));
  CHECK(environment.variable("KEELSON_NO_SUCH_VARIABLE").empty());
  CHECK_FALSE(environment.variable("PATH").empty());
}

}  // namespace keelson::kube
