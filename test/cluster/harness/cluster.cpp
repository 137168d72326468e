#include "test/cluster/harness/cluster.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/writer.hpp"
#include "test/cluster/harness/client.hpp"

namespace keelson::testing {

using namespace std::chrono_literals;
using RealTime = std::chrono::steady_clock;

namespace {

const kube::Resource kNamespaces("", "v1", "Namespace", "namespaces", false);

std::string last_manager_log;  // reported when an expectation is not fulfilled in time

// The object with the annotation of a client-side apply, without which kubectl warns when it applies the object later.
std::string with_last_applied(const std::string& object) {
  json::Writer annotation;
  annotation.begin_object().key("metadata").begin_object().key("annotations").begin_object();
  annotation.field("kubectl.kubernetes.io/last-applied-configuration", object);
  annotation.end_object().end_object().end_object();
  auto annotated = json::merge_patch(object, std::move(annotation).take());
  REQUIRE(annotated);
  return std::move(*annotated);
}

std::string audit_file() {
  auto kubeconfig = std::filesystem::path(std::getenv("KUBECONFIG"));
  return (kubeconfig.parent_path() / "audit.log").string();
}

std::string tail(const std::string& text, std::size_t bytes) {
  return text.size() <= bytes ? text : "…" + text.substr(text.size() - bytes);
}

int next_number() {
  static int number = 0;
  return ++number;
}

// "patch memcacheds/status 200" of a line; empty for another agent, another namespace, or an incomplete request.
std::string summary(const std::string& line, const std::string& user_agent, const std::string& ns) {
  if (line.find("\"userAgent\":\"" + user_agent) == std::string::npos) return "";
  auto document = json::Document::parse(line);
  if (!document) return "";
  auto event = document->root();
  auto verb = std::string(event.find("verb").string().value_or(""));
  auto stage = event.find("stage").string().value_or("");
  if (stage != (verb == "watch" ? "ResponseStarted" : "ResponseComplete")) return "";
  auto reference = event.find("objectRef");
  auto about = reference.find("namespace").string();
  if (!ns.empty() && about && *about != ns) return "";
  auto resource = std::string(reference.find("resource").string().value_or("?"));
  if (auto sub = reference.find("subresource").string()) resource += "/" + std::string(*sub);
  auto code = event.at({"responseStatus", "code"}).integer().value_or(0);
  return verb + " " + resource + " " + std::to_string(code);
}

}  // namespace

std::string kubectl(const std::vector<std::string>& arguments, const std::string& input) {
  auto output = try_kubectl(arguments, input);
  INFO(output.text);
  REQUIRE(output.exit_code == 0);
  return output.text;
}

Output try_kubectl(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> command{"kubectl"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, input);
}

void eventually(const std::string& what, const std::function<bool()>& holds, std::chrono::seconds limit) {
  auto until = RealTime::now() + limit;
  while (RealTime::now() < until) {
    if (holds()) return;
    pause(100ms);
  }
  FAIL(what << " did not come true in " << limit.count() << " s. The manager's last words:\n"
            << tail(read_file(last_manager_log), 4000));
}

void pause(std::chrono::milliseconds time) { ::poll(nullptr, 0, static_cast<int>(time.count())); }

void show_when_it_fails(const std::string& log_file) { last_manager_log = log_file; }

void throughout(const std::string& what, std::chrono::milliseconds time, const std::function<bool()>& holds) {
  auto until = RealTime::now() + time;
  do {
    INFO(what);
    REQUIRE(holds());
    pause(200ms);
  } while (RealTime::now() < until);
}

void install_crds() {
  for (const auto& file : std::filesystem::directory_iterator(std::string(KEELSON_SOURCE_DIR) + "/config/crd/bases")) {
    // A file is named GROUP_PLURAL.yaml, an object PLURAL.GROUP.
    auto file_name = file.path().stem().string();
    auto underscore = file_name.rfind('_');
    auto name = file_name.substr(underscore + 1) + "." + file_name.substr(0, underscore);
    auto json = json::yaml_to_json(read_file(file.path()));
    REQUIRE(json);
    apply_object("crds", name, "", with_last_applied(*json));
  }
  wait_for_crds();
}

void wait_for_crds() {
  eventually("the CRDs are established", [] {
    auto names = values_of("crds", "", ".metadata.name");
    auto established = values_of("crds", "", R"(.status.conditions[?(@.type=="Established")].status)");
    return !names.empty() && established == std::vector<std::string>(names.size(), "True");
  });
}

void cluster(const std::string& verb) {
  const char* name = std::getenv("KEELSON_CLUSTER_NAME");
  auto output =
      run({std::string(KEELSON_SOURCE_DIR) + "/scripts/cluster", verb, "--name", name == nullptr ? "default" : name});
  INFO(output.text);
  REQUIRE(output.exit_code == 0);
}

Namespace::Namespace() : name_("test-" + std::to_string(::getpid()) + "-" + std::to_string(next_number())) {
  auto created =
      send({.verb = kube::Verb::kCreate, .resource = kNamespaces, .body = R"({"metadata":{"name":")" + name_ + "\"}}"});
  INFO((created ? "" : created.error().message()));
  REQUIRE(created);
}

Namespace::~Namespace() {
  (void)send({.verb = kube::Verb::kDelete, .resource = kNamespaces, .key = kube::Key("", name_)});
}

int Requests::of(const std::string& prefix) const {
  int sum = 0;
  for (const auto& [what, count] : counts) {
    if (what.starts_with(prefix)) sum += count;
  }
  return sum;
}

int Requests::all_but_watches() const { return of("") - of("watch "); }

std::string Requests::text() const {
  std::string lines;
  for (const auto& [what, count] : counts) lines += what + ": " + std::to_string(count) + "\n";
  return lines;
}

Manager::Manager(std::vector<std::string> more_arguments) : health_port_(free_port()), metrics_port_(free_port()) {
  user_agent_ = "manager-" + std::to_string(::getpid()) + "-" + std::to_string(next_number());
  // Its name is in its User-Agent, and thus in the audit log.
  auto binary = folder_.file(user_agent_);
  std::filesystem::create_symlink(KEELSON_MANAGER, binary);
  std::vector<std::string> command{binary, "--metrics-bind-address=127.0.0.1:" + std::to_string(metrics_port_),
                                   "--health-probe-bind-address=127.0.0.1:" + std::to_string(health_port_)};
  command.insert(command.end(), more_arguments.begin(), more_arguments.end());
  log_file_ = (std::filesystem::temp_directory_path() / (user_agent_ + ".log")).string();
  last_manager_log = log_file_;
  process_ = std::make_unique<Process>(command, log_file_);
}

Manager::~Manager() {
  process_.reset();
  std::error_code ignored;
  // The log of a failed test is retained.
  if (std::uncaught_exceptions() == 0) std::filesystem::remove(log_file_, ignored);
}

std::vector<std::string> Manager::errors(const std::string& ns) const {
  std::vector<std::string> found;
  std::istringstream lines(log());
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\tERROR\t") == std::string::npos) continue;
    const bool is_elsewhere = line.find("\"namespace\": \"") != std::string::npos &&
                              line.find("\"namespace\": \"" + ns + "\"") == std::string::npos;
    if (!is_elsewhere) found.push_back(std::move(line));
  }
  return found;
}

Requests Manager::requests(const std::string& ns) const {
  Requests requests;
  std::ifstream log(audit_file());
  log.seekg(static_cast<std::streamoff>(audit_from_));
  for (std::string line; std::getline(log, line);) {
    auto what = summary(line, user_agent_ + "/", ns);
    if (!what.empty()) ++requests.counts[what];
  }
  return requests;
}

void Manager::mark() { audit_from_ = std::filesystem::file_size(audit_file()); }

void Manager::wait_until_ready() {
  eventually("/readyz", [&] { return health("/readyz") == "ok"; });
}

void Manager::stop() {
  process_->signal(SIGTERM);
  CHECK(process_->wait() == 0);
}

}  // namespace keelson::testing
