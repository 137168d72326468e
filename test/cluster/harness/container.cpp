#include "test/cluster/harness/container.hpp"

#include <signal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <exception>
#include <fstream>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/listeners.hpp"

namespace keelson::testing {

namespace {

// The user of both images.
constexpr const char* kUser = "65532";

const std::vector<std::string> kNamespaces{"unshare", "--mount", "--propagation", "unchanged",
                                           "--uts",   "--pid",   "--fork"};

void require_namespaces() {
  auto command = kNamespaces;
  command.insert(command.end(), {"mount", "--make-private", "/proc"});
  auto tried = run(command);
  if (tried.exit_code == 0) return;
  FAIL(
      "a container needs mounts of its own, and they are not permitted here (run the test as root; in a container with "
      "--privileged; in a chroot with /proc mounted): "
      << tried.text);
}

// The ports that a container declares, or names in an argument like --metrics-bind-address=:8080.
std::vector<int> ports_of(json::View container) {
  std::vector<int> ports;
  for (auto port : container.find("ports").items()) {
    ports.push_back(static_cast<int>(port.find("containerPort").integer().value_or(0)));
  }
  for (auto argument : container.find("args").items()) {
    auto text = std::string(argument.string().value_or(""));
    if (text.find("-address=") != std::string::npos) ports.push_back(std::stoi(text.substr(text.rfind(':') + 1)));
  }
  return ports;
}

void require_free(const std::vector<int>& ports) {
  for (int port : ports) {
    if (!listening_on(port).empty()) {
      FAIL("port " << port << ", which the deployed manager needs, is in use: `ss -ltnp` shows by which program");
    }
  }
}

}  // namespace

Image manager_image() { return {KEELSON_MANAGER, "/manager"}; }

Image kube_rbac_proxy_image() {
  auto found = run({"which", "kube-rbac-proxy"});
  INFO("kube-rbac-proxy is not on PATH; scripts/cluster run puts it there");
  REQUIRE(found.exit_code == 0);
  return {found.text.substr(0, found.text.find('\n')), "/usr/local/bin/kube-rbac-proxy"};
}

Container::Container(const Pod& pod, std::string name, const Image& image)
    : pod_(pod),
      name_(std::move(name)),
      log_file_(std::filesystem::temp_directory_path() / ("keelson-" + pod.name() + "-" + name_ + ".log")) {
  require_namespaces();
  require_free(ports_of(pod_.container(name_)));
  std::filesystem::remove(log_file_);
  write_files();
  auto command = kNamespaces;
  command.insert(command.end(), {std::string(KEELSON_SOURCE_DIR) + "/test/cluster/harness/container.sh", root_.string(),
                                 pod_.name(), kUser, image.program, image.entrypoint});
  for (const auto& line : pod_.environment(name_)) command.push_back(line);
  command.push_back("--");
  for (const auto& word : pod_.command(name_, image.entrypoint)) command.push_back(word);
  process_ = std::make_unique<Process>(command, log_file_);
  show_when_it_fails(log_file_);
}

Container::~Container() {
  signal(SIGKILL);
  (void)process_->wait();
  std::error_code ignored;
  if (std::uncaught_exceptions() == 0) std::filesystem::remove(log_file_, ignored);
}

void Container::write_files() {
  std::filesystem::create_directories(root_);
  for (const auto& [path, text] : pod_.files(name_)) folder_.write("root" + path, text);
}

bool Container::passes(const std::string& probe) const {
  auto get = pod_.container(name_).at({probe, "httpGet"});
  INFO(name_ << " has this " << probe << ": " << get.text());
  REQUIRE(get.find("scheme").string() == "HTTP");
  auto port = get.find("port").integer();
  auto by_name = get.find("port").string();
  REQUIRE((port || by_name));
  return !http_get(port ? static_cast<int>(*port) : pod_.port(name_, std::string(*by_name)),
                   std::string(get.find("path").string().value_or("/")))
              .empty();
}

void Container::wait_until_ready() const {
  eventually("container " + name_ + " passes its readiness probe", [&] { return passes("readinessProbe"); });
  CHECK(passes("livenessProbe"));
}

int Container::terminate() {
  signal(SIGTERM);
  eventually(
      "container " + name_ + " ends on SIGTERM", [&] { return !process_->is_running(); }, pod_.grace_period());
  return process_->wait();
}

// The process is the first one of its namespace and the child of the one that created it. When both have ended, there
// is nothing to signal.
void Container::signal(int number) {
  if (!process_->is_running()) return;
  auto pid = std::to_string(process_->pid());
  pid_t child = 0;
  std::ifstream("/proc/" + pid + "/task/" + pid + "/children") >> child;
  if (child != 0) ::kill(child, number);
  if (child == 0) process_->signal(number);
}

}  // namespace keelson::testing
