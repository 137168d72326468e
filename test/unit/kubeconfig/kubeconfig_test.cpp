#include "src/kubeconfig/kubeconfig.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/kubeconfig/fake_environment.hpp"

namespace keelson::kube {
namespace {

using fixtures::FakeEnvironment;

std::string error_of(const Result<Kubeconfig>& config) { return config ? "no error" : config.error().text; }

std::string validation_of(const std::string& yaml, FakeEnvironment& files) {
  auto config = parse_kubeconfig(yaml);
  REQUIRE(config);
  auto problem = validate_current_context(*config, files.read_file());
  return problem ? problem->text : "no error";
}

struct Case {
  std::string yaml;
  std::string error;
};

// The current context with this cluster and this user.
std::string with(const std::string& cluster, const std::string& user) {
  return "contexts: [{name: dev, context: {cluster: c, user: u}}]\ncurrent-context: dev\nclusters: [{name: c, "
         "cluster: " +
         cluster + "}]\nusers: [{name: u, user: " + user + "}]\n";
}

const std::string kServer = "{server: 'https://h:6443'}";

}  // namespace

TEST_CASE("every supported field of a kubeconfig is read") {
  auto config = parse_kubeconfig(R"(
apiVersion: v1
kind: Config
preferences: {colors: true}
current-context: dev
contexts:
- name: dev
  context: {cluster: c, user: u, namespace: team}
clusters:
- name: c
  cluster:
    server: https://10.0.0.1:6443
    tls-server-name: kubernetes
    insecure-skip-tls-verify: true
    certificate-authority: ca.crt
    certificate-authority-data: Q0E=
    proxy-url: socks5://p:1080
    extensions:
    - {name: other, extension: 1}
    - {name: client.authentication.k8s.io/exec, extension: {audience: [a]}}
    disable-compression: true
users:
- name: u
  user:
    client-certificate: c.crt
    client-certificate-data: Q0VSVA==
    client-key: c.key
    client-key-data: S0VZ
    token: t
    tokenFile: /t
    username: me
    password: p
    as: jane
    as-uid: u1
    as-groups: [a, b]
    as-user-extra: {scopes: [x, y]}
    auth-provider: {name: oidc}
    exec: {command: aws, args: [eks, get-token], apiVersion: client.authentication.k8s.io/v1beta1,
           env: [{name: A, value: b}], provideClusterInfo: true, installHint: install it}
)");

  REQUIRE(config);
  const auto& cluster = config->clusters.at("c");
  CHECK(cluster.server == "https://10.0.0.1:6443");
  CHECK(cluster.tls_server_name == "kubernetes");
  CHECK(cluster.insecure_skip_tls_verify);
  CHECK(cluster.certificate_authority == "ca.crt");
  CHECK(cluster.certificate_authority_data == "CA");
  CHECK(cluster.proxy_url == "socks5://p:1080");
  CHECK(cluster.extensions.at(1).content.text == R"({"audience":["a"]})");
  CHECK(cluster.disable_compression);
  const auto& user = config->users.at("u");
  CHECK(user.client_certificate == "c.crt");
  CHECK(user.client_certificate_data == "CERT");
  CHECK(user.client_key == "c.key");
  CHECK(user.client_key_data == "KEY");
  CHECK(user.token == "t");
  CHECK(user.token_file == "/t");
  CHECK(user.username == "me");
  CHECK(user.password == "p");
  CHECK(user.impersonation.user == "jane");
  CHECK(user.impersonation.uid == "u1");
  CHECK(user.impersonation.groups == std::vector<std::string>{"a", "b"});
  CHECK(user.impersonation.extra.at("scopes") == std::vector<std::string>{"x", "y"});
  REQUIRE(user.auth_provider);
  CHECK(user.auth_provider->name == "oidc");
  REQUIRE(user.exec);
  CHECK(user.exec->command == "aws");
  CHECK(user.exec->interactive_mode == "IfAvailable");
  CHECK(user.exec->arguments == std::vector<std::string>{"eks", "get-token"});
  CHECK(user.exec->variables == std::vector<std::pair<std::string, std::string>>{{"A", "b"}});
  CHECK(user.exec->provide_cluster_info);
  CHECK(user.exec->install_hint == "install it");
  CHECK(config->contexts.at("dev").ns == "team");
  CHECK(config->current_context == "dev");
}

TEST_CASE("an empty kubeconfig, null, and null lists are an empty kubeconfig") {
  for (const char* text : {"", "# nothing\n", "null", "clusters: null\nusers: null\ncontexts:\n", "{}"}) {
    INFO(text);
    auto config = parse_kubeconfig(text);

    REQUIRE(config);
    CHECK(config->clusters.empty());
  }
}

TEST_CASE("a null in a list of a kubeconfig is an empty entry, as in Go") {
  const auto config = parse_kubeconfig(R"(
clusters: [null, {name: c, cluster: {server: s, extensions: [null, {name: x}]}}]
contexts: [{name: x}, null]
users:
- name: u
  user:
    as-groups: [null, b]
    as-user-extra: {scopes: [null, y]}
    exec: {command: aws, args: [get-token, null], env: [null, {name: A, value: b}]}
-
)");

  REQUIRE(config);
  CHECK(config->clusters.at("").server.empty());
  CHECK(config->clusters.at("c").extensions.size() == 2);
  CHECK(config->contexts.contains(""));
  CHECK(config->users.contains(""));
  const auto& user = config->users.at("u");
  CHECK(user.impersonation.groups == std::vector<std::string>{"", "b"});
  CHECK(user.impersonation.extra.at("scopes") == std::vector<std::string>{"", "y"});
  CHECK(user.exec->arguments == std::vector<std::string>{"get-token", ""});
  CHECK(user.exec->variables == std::vector<std::pair<std::string, std::string>>{{"", ""}, {"A", "b"}});
}

TEST_CASE("an error in a kubeconfig has the path and never the value") {
  const std::vector<Case> cases = {
      {"[1]", ": expected an object, found an array"},
      {"clusters: {a: b}", "clusters: expected an array, found an object"},
      {"clusters: [7]", "clusters[0]: expected an object, found a number"},
      {"clusters: [{name: c, cluster: secret}]", "clusters[0].cluster: expected an object, found a string"},
      {"users: [{name: u, user: {token: 12345}}]",
       "users[0].user.token: expected a string, found a number (put it in quotes)"},
      {"clusters: [{name: c, cluster: {insecure-skip-tls-verify: 'secret'}}]",
       "clusters[0].cluster.insecure-skip-tls-verify: expected true or false, found a string"},
      {"users: [{name: u, user: {as-groups: secret}}]", "users[0].user.as-groups: expected an array, found a string"},
      {"users: [{name: u, user: {as-user-extra: [secret]}}]",
       "users[0].user.as-user-extra: expected an object, found an array"},
      {"users: [{}, {name: u, user: {client-key-data: 'S0VZ*secret'}}]",
       "users[1].user.client-key-data: illegal base64 data at input byte 4"},
      {"users: [{name: u, user: {token: secret}}, {name: u}]",
       R"(error converting *[]NamedAuthInfo into *map[string]*api.AuthInfo: duplicate name "u" in list)"},
      {"clusters: [{name: c}, {name: c}]",
       R"(error converting *[]NamedCluster into *map[string]*api.Cluster: duplicate name "c" in list)"},
      {"contexts: [{name: x}, {name: x}]",
       R"(error converting *[]NamedContext into *map[string]*api.Context: duplicate name "x" in list)"},
      {"kind: Secret\napiVersion: v1", R"(no kind "Secret" is registered for version "v1")"},
      {"kind: Config\napiVersion: v2", R"(no kind "Config" is registered for version "v2")"},
  };
  for (const auto& [yaml, error] : cases) {
    INFO(yaml);
    auto text = error_of(parse_kubeconfig(yaml));

    CHECK(text.ends_with(error));
    CHECK(text.find("secret") == std::string::npos);
  }
}

TEST_CASE("garbage is an error and does not crash") {
  for (const char* text : {"\t{", "a: b: c", "{\"clusters\": [", "- - - [", "&a [*a]", "users: !!binary x"}) {
    INFO(text);
    CHECK_FALSE(parse_kubeconfig(text));
  }
  CHECK_FALSE(parse_kubeconfig(std::string(100'000, '[')));
}

TEST_CASE("validation has client-go's error texts") {
  const std::string no_configuration = kNoConfiguration;
  const std::string wrapper = "invalid configuration: ";
  const std::vector<Case> cases = {
      {"", no_configuration},
      {"current-context: dev",
       wrapper + "[context was not found for specified context: dev, cluster has no server defined]"},
      {"contexts: [{name: dev, context: {cluster: none, user: none}}]\ncurrent-context: dev", no_configuration},
      {"clusters: [{name: c, cluster: {server: 'https://h'}}]", no_configuration},
      {with("{server: ''}", "{}"), wrapper + R"(no server found for cluster "c")"},
      {"contexts: [{name: dev}]\ncurrent-context: dev\nclusters: [{name: '', cluster: {}}]",
       wrapper + "default cluster has no server defined"},
      {with("{server: 'https://h', proxy-url: 'ftp://p'}", "{}"),
       wrapper +
           R"(invalid 'proxy-url' "ftp://p" for cluster "c": unsupported scheme "ftp", must be http, https, or socks5)"},
      {with("{server: 'https://h', proxy-url: 'http://me:1/secret@p'}", "{}"),
       wrapper +
           R"(invalid 'proxy-url' "http://me:xxxxx@p" for cluster "c": encode / ? # in a password as %2F %3F %23)"},
      {with("{server: 'https://h', proxy-url: '10.0.0.1:3128'}", "{}"),
       wrapper + R"(invalid 'proxy-url' "10.0.0.1:3128" for cluster "c": could not parse: 10.0.0.1:3128)"},
      {with("{server: 'https://h', certificate-authority: /ca, certificate-authority-data: Q0E=}", "{}"),
       wrapper + "certificate-authority-data and certificate-authority are both specified for c. "
                 "certificate-authority-data will override."},
      {with("{server: 'https://h', certificate-authority: /none}", "{}"),
       wrapper + "unable to read certificate-authority /none for c due to open /none: no such file or directory"},
      {with(kServer, "{client-certificate: /ca, client-certificate-data: Q0E=, client-key-data: Q0E=}"),
       wrapper + "client-cert-data and client-cert are both specified for u. client-cert-data will override."},
      {with(kServer, "{client-certificate-data: Q0E=, client-key: /ca, client-key-data: Q0E=}"),
       wrapper + "client-key-data and client-key are both specified for u; client-key-data will override"},
      {with(kServer, "{client-certificate-data: Q0E=}"),
       wrapper + "client-key-data or client-key must be specified for u to use the clientCert authentication method."},
      {with(kServer, "{client-certificate: /none, client-key: /no-key}"),
       wrapper + "[unable to read client-cert /none for u due to open /none: no such file or directory, unable to read "
                 "client-key /no-key for u due to open /no-key: no such file or directory]"},
      {with(kServer, "{exec: {interactiveMode: Never}}"),
       wrapper +
           "[command must be specified for u to use exec authentication plugin, apiVersion must be specified for u "
           "to use exec authentication plugin]"},
      {with(kServer, "{exec: {command: a, apiVersion: client.authentication.k8s.io/v1}}"),
       wrapper + "interactiveMode must be specified for u to use exec authentication plugin"},
      {with(kServer, "{exec: {command: a, apiVersion: client.authentication.k8s.io/v1, interactiveMode: X}}"),
       wrapper + R"(invalid interactiveMode for u: "X")"},
      {with(kServer, "{exec: {command: a, apiVersion: client.authentication.k8s.io/v1beta1, env: [{value: b}]}}"),
       wrapper + "env variable name must be specified for u to use exec authentication plugin"},
      {with(kServer,
            "{exec: {command: a, apiVersion: client.authentication.k8s.io/v1beta1}, auth-provider: {name: x}}"),
       wrapper + "authProvider cannot be provided in combination with an exec plugin for u"},
      {with(kServer, "{token: secret, username: me, password: secret}"),
       wrapper + "more than one authentication method found for u; found [token basicAuth], only one is allowed"},
      {with(kServer, "{as-groups: [g]}"),
       wrapper + "requesting uid, groups or user-extra for u without impersonating a user"},
      {with(kServer, "{as-uid: '1'}"),
       wrapper + "requesting uid, groups or user-extra for u without impersonating a user"},
      {with(kServer, "{as-user-extra: {a: [b]}}"),
       wrapper + "requesting uid, groups or user-extra for u without impersonating a user"},
      {with(kServer, "{token: t}"), "no error"},
      {"contexts: [{name: dev, context: {cluster: c, user: nobody}}]\ncurrent-context: dev\n"
       "clusters: [{name: c, cluster: {server: 'https://h'}}]",
       "no error"},
  };
  FakeEnvironment files;
  files.file("/ca", "CA");
  for (const auto& [yaml, error] : cases) {
    INFO(yaml);
    CHECK(validation_of(yaml, files) == error);
  }
}

TEST_CASE("the error of a proxy URL does not contain its password") {
  FakeEnvironment files;

  auto error = validation_of(with("{server: 'https://h', proxy-url: 'ftp://me:secret@p'}", "{}"), files);

  CHECK(error.find("secret") == std::string::npos);
  CHECK(error.find("ftp://me:xxxxx@p") != std::string::npos);
}

TEST_CASE("an entry comes as a whole from the first of several kubeconfigs that has it") {
  FakeEnvironment files;
  files.file("/1", "clusters: [{name: c, cluster: {server: 'https://first'}}]\ncurrent-context: ''");
  files.file("/3",
             "clusters: [{name: c, cluster: {server: 'https://second', tls-server-name: x}}, {name: d, cluster: "
             "{server: 'https://d'}}]\ncurrent-context: third");
  files.file("/4", "current-context: fourth");

  auto config = load_kubeconfig_list({"/1", "/2", "/3", "/4"}, files.environment());

  REQUIRE(config);
  CHECK(config->clusters.at("c").server == "https://first");
  CHECK(config->clusters.at("c").tls_server_name.empty());
  CHECK(config->clusters.at("d").server == "https://d");
  CHECK(config->current_context == "third");
  CHECK(config->files == std::vector<std::string>{"/1", "/3", "/4"});
  CHECK(config->warnings.empty());
}

TEST_CASE("relative paths start from the directory of their kubeconfig") {
  const std::string text =
      "clusters: [{name: NAME, cluster: {certificate-authority: ../ca.crt}}]\n"
      "users: [{name: NAME, user: {client-certificate: a.crt, client-key: /abs/a.key, tokenFile: t, exec: {command: "
      "bin/aws}}}, {name: NAME-path, user: {exec: {command: aws}}}]";
  auto named = [&](std::string name) {
    auto out = text;
    for (auto at = out.find("NAME"); at != std::string::npos; at = out.find("NAME")) out.replace(at, 4, name);
    return out;
  };
  FakeEnvironment files;
  files.file("/etc/kube/a", named("a")).file("conf/b", named("b"));

  auto config = load_kubeconfig_list({"/etc/kube/a", "conf/b"}, files.environment());

  REQUIRE(config);
  CHECK(config->clusters.at("a").certificate_authority == "/etc/ca.crt");
  CHECK(config->users.at("a").client_certificate == "/etc/kube/a.crt");
  CHECK(config->users.at("a").client_key == "/abs/a.key");
  CHECK(config->users.at("a").token_file == "/etc/kube/t");
  CHECK(config->users.at("a").exec->command == "/etc/kube/bin/aws");
  CHECK(config->users.at("a-path").exec->command == "aws");
  CHECK(config->clusters.at("b").certificate_authority == "/work/ca.crt");
  CHECK(config->users.at("b").token_file == "/work/conf/t");
}

TEST_CASE("of several YAML documents the first one is the kubeconfig, as for kubectl") {
  FakeEnvironment files;
  files.file("/two", "current-context: a\n---\ncurrent-context: b\nusers: 1\n");

  const auto config = load_kubeconfig_list({"/two"}, files.environment());

  REQUIRE(config);
  CHECK(config->current_context == "a");
}

TEST_CASE("a list whose files are all missing is a warning, and malformed files are an error that names all of them") {
  FakeEnvironment files;
  files.file("/bad", "users: 1").unreadable("/shut").file("/good", "current-context: x");

  auto missing = load_kubeconfig_list({"/a", "/b"}, files.environment());
  auto one = load_kubeconfig_list({"/good", "/shut"}, files.environment());
  auto two = load_kubeconfig_list({"/bad", "/shut"}, files.environment());

  REQUIRE(missing);
  CHECK(missing->warnings == std::vector<std::string>{"Config not found: /a, /b"});
  CHECK(error_of(one) == "error loading config file \"/shut\": open /shut: permission denied");
  CHECK(error_of(two) ==
        "[error loading config file \"/bad\": users: expected an array, found a number, error loading config file "
        "\"/shut\": open /shut: permission denied]");
}

}  // namespace keelson::kube
