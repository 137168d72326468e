#include "src/program/commands/support_bundle.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "keelson/detail/access/manager_pages.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/debug_objects.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/json/value.hpp"
#include "src/program/commands/doctor_run.hpp"
#include "src/program/commands/redaction.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

// A bundle is attached to an issue or an e-mail: a few megabytes at most after compression.
constexpr std::size_t kPartBytes = std::size_t{4} << 20;
constexpr std::size_t kBundleBytes = std::size_t{32} << 20;
constexpr std::size_t kBundlePods = 5;
constexpr std::size_t kLogLines = 2000;
constexpr std::size_t kLogBytes = std::size_t{1} << 20;
// The API server cuts the end of a longer log, which has the newest lines: it is asked again for fewer of them.
constexpr std::size_t kReadLogBytes = std::size_t{8} << 20;
constexpr std::size_t kFewerLines = 10;
constexpr std::chrono::seconds kPartTime{12};

std::string text_in(json::View view, std::initializer_list<std::string_view> path) {
  return std::string(view.at(path).string().value_or(""));
}

std::string selector_text(json::View labels) {
  std::string selector;
  for (const auto& [label, value] : labels.members()) {
    selector.append(selector.empty() ? "" : ",").append(label).append("=").append(value.string().value_or(""));
  }
  return selector;
}

// The port of /metrics by the names of kubebuilder's manifests; nullopt if the pod declares none.
struct MetricsPort {
  int number = 0;
  bool is_tls = true;
};
std::optional<MetricsPort> metrics_port_of(json::View pod) {
  for (const auto container : pod.at({"spec", "containers"}).items()) {
    for (const auto port : container.find("ports").items()) {
      const auto name = text_in(port, {"name"});
      if (name != "https" && name != "metrics" && name != "http-metrics") continue;
      return MetricsPort{static_cast<int>(port.find("containerPort").integer().value_or(0)), name != "http-metrics"};
    }
  }
  return std::nullopt;
}

bool has_restarted(json::View pod) {
  for (const auto status : pod.at({"status", "containerStatuses"}).items()) {
    if (status.find("restartCount").integer().value_or(0) > 0) return true;
  }
  return false;
}

std::string manager_container_of(json::View pod) {
  const auto containers = pod.at({"spec", "containers"});
  const bool has_manager = !json::item_with(containers, "name", "manager").is_absent();
  return has_manager ? "manager" : text_in(containers.item(0), {"name"});
}

// Of a page with a list in parts.
bool has_more(std::string_view page) {
  if (!page.starts_with("{")) return false;
  const auto document = json::Document::parse(page);
  return document && !text_in(document->root(), {"continue"}).empty();
}

class BundleCollector {
 public:
  BundleCollector(kube::Client& client, async::Clock& clock, std::string audience, SupportBundle& bundle)
      : client_(client), clock_(clock), audience_(std::move(audience)), bundle_(bundle) {}

  [[nodiscard]] asio::awaitable<void> read_installation(std::string ns, std::string deployment);

 private:
  [[nodiscard]] Task<kube::ApiReply> send(kube::ApiRequest request);
  [[nodiscard]] Task<kube::ApiReply> read_log(kube::ApiRequest request, std::string file);
  [[nodiscard]] asio::awaitable<void> add_log(std::string ns, json::View pod, bool is_previous);
  [[nodiscard]] asio::awaitable<void> add_pod(std::string ns, json::View pod);
  [[nodiscard]] asio::awaitable<void> add_page(std::string ns, access::ManagerPod pod, std::string file,
                                               std::string path, std::string accept, bool is_of_errors = false);

  kube::Client& client_;
  async::Clock& clock_;
  std::string audience_;
  SupportBundle& bundle_;
};

Task<kube::ApiReply> BundleCollector::send(kube::ApiRequest request) {
  co_return co_await async::with_timeout<kube::ApiReply>(clock_, kPartTime, "read", client_.send(std::move(request)));
}

// The newest lines: as many as the API server returns whole.
Task<kube::ApiReply> BundleCollector::read_log(kube::ApiRequest request, std::string file) {
  request.query.emplace_back("limitBytes", std::to_string(kReadLogBytes));
  for (auto lines = kLogLines;; lines /= kFewerLines) {
    auto some = request;
    some.query.emplace_back("tailLines", std::to_string(lines));
    auto reply = co_await send(std::move(some));
    const bool is_cut = reply && reply->body.size() >= kReadLogBytes;
    if (!is_cut && lines < kLogLines) {
      bundle_.add_missing(file, "its lines are long: only the last " + base::counted(lines, "line") + " were read");
    }
    if (is_cut && lines < kFewerLines) bundle_.add_missing(file, "its lines are too long: the newest were cut off");
    if (!is_cut || lines < kFewerLines) co_return reply;
  }
}

asio::awaitable<void> BundleCollector::add_log(std::string ns, json::View pod, bool is_previous) {
  const auto name = text_in(pod, {"metadata", "name"});
  kube::ApiRequest request;
  request.resource = kube::pods();
  request.key = kube::Key(ns, name);
  request.subresource = "log";
  request.query = {{"container", manager_container_of(pod)}};
  if (is_previous) request.query.emplace_back("previous", "true");
  request.headers = {{"Accept", "*/*"}};
  const auto file = "pods/" + name + (is_previous ? "/previous-log.txt" : "/log.txt");
  const auto reply = co_await read_log(std::move(request), file);
  if (reply) {
    bundle_.add(file, reply->body, kLogBytes);
  } else {
    bundle_.add_missing(file, access::with_permission(reply.error(), "get pods/log", ns).message());
  }
}

asio::awaitable<void> BundleCollector::add_page(std::string ns, access::ManagerPod pod, std::string file,
                                                std::string path, std::string accept, bool is_of_errors) {
  kube::ApiRequest page;
  page.raw_path = std::move(path);
  if (is_of_errors) page.query = {{"result", "error"}};
  page.headers = {{"Accept", std::move(accept)}};
  auto reading = access::read_page(client_, std::move(ns), std::move(pod), std::move(page), audience_);
  const auto reply = co_await async::with_timeout<kube::ApiReply>(clock_, kPartTime, "read", std::move(reading));
  if (reply) {
    bundle_.add(file, reply->body);
    if (has_more(reply->body)) bundle_.add_missing(file, "only the first objects: the page has a `continue`");
  } else {
    bundle_.add_missing(file, reply.error().message());
  }
}

asio::awaitable<void> BundleCollector::add_pod(std::string ns, json::View pod) {
  const auto folder = "pods/" + text_in(pod, {"metadata", "name"});
  bundle_.add_object(folder + "/pod.json", pod);
  co_await add_log(ns, pod, false);
  if (has_restarted(pod)) co_await add_log(ns, pod, true);
  const auto managers = access::manager_pods({pod}, "");
  if (managers.empty()) {
    bundle_.add_missing(folder + "/statusz.txt", "the pod is not running");
    co_return;
  }
  const auto& manager = managers.front();
  co_await add_page(ns, manager, folder + "/statusz.txt", "/statusz", "text/plain");
  co_await add_page(ns, manager, folder + "/statusz.json", "/statusz", "application/json");
  co_await add_page(ns, manager, folder + "/flagz.txt", "/flagz", "text/plain");
  const std::string objects(controller::kDebugObjectsPath);
  co_await add_page(ns, manager, folder + "/debug-objects.json", objects, "application/json");
  co_await add_page(ns, manager, folder + "/debug-objects-errors.json", objects, "application/json", true);
  const auto port = metrics_port_of(pod);
  if (!port) {
    bundle_.add_missing(folder + "/metrics.txt",
                        "the pod declares no port with the name https, metrics or http-metrics");
    co_return;
  }
  auto metrics = manager;
  // The API server's proxy takes the scheme before the name.
  if (port->is_tls) metrics.name = "https:" + metrics.name;
  metrics.port = port->number;
  co_await add_page(ns, std::move(metrics), folder + "/metrics.txt", "/metrics", "text/plain");
}

asio::awaitable<void> BundleCollector::read_installation(std::string ns, std::string deployment) {
  std::string selector = "control-plane=controller-manager";
  if (!deployment.empty()) {
    kube::ApiRequest get;
    get.resource = kube::deployments();
    get.key = kube::Key(ns, deployment);
    const auto reply = co_await send(std::move(get));
    const auto document = reply ? json::Document::parse(reply->body) : Result<json::Document>(reply.error());
    if (document) {
      bundle_.add_object("deployment.json", document->root());
      const auto labels = selector_text(document->root().at({"spec", "selector", "matchLabels"}));
      if (!labels.empty()) selector = labels;
    } else {
      bundle_.add_missing("deployment.json", document.error().message());
    }
  }
  kube::ApiRequest list;
  list.verb = kube::Verb::kList;
  list.resource = kube::pods();
  list.key = kube::Key(ns, "");
  list.query = {{"labelSelector", selector}, {"limit", "50"}};
  const auto reply = co_await send(std::move(list));
  const auto pods = reply ? json::Document::parse(reply->body) : Result<json::Document>(reply.error());
  if (!pods) {
    bundle_.add_missing("pods", access::with_permission(pods.error(), "list pods", ns).message());
    co_return;
  }
  const auto items = pods->root().find("items");
  if (items.size() == 0) bundle_.add_missing("pods", "no pod with the labels " + selector + " in " + ns);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i < kBundlePods) {
      co_await add_pod(ns, items.item(i));
    } else {
      bundle_.add_missing("pods/" + text_in(items.item(i), {"metadata", "name"}),
                          "a bundle has at most " + std::to_string(kBundlePods) + " pods");
    }
  }
}

}  // namespace

void SupportBundle::add(const std::string& path, std::string_view content) { add(path, content, kPartBytes); }

void SupportBundle::add(const std::string& path, std::string_view content, std::size_t limit) {
  if (content.size() > limit) {
    add_missing(path, "the first " + std::to_string(content.size() - limit) + " bytes were cut off");
    content.remove_prefix(content.size() - limit);
    // A line that is cut could hide the name of a secret.
    content.remove_prefix(std::min(content.find('\n'), content.size() - 1) + 1);
  }
  store(path, redacted(content));
}

void SupportBundle::add_object(const std::string& path, json::View object) { store(path, redacted_object(object)); }

void SupportBundle::add_missing(const std::string& path, const std::string& reason) {
  missing_.emplace_back(path, base::on_one_line(redacted(reason)));
}

void SupportBundle::store(const std::string& path, std::string content) {
  if (content.size() > kBundleBytes - bytes_) {
    add_missing(path, "the bundle would be too large");
    return;
  }
  bytes_ += content.size();
  files_.push_back({path, std::move(content)});
}

std::vector<ArchivedFile> SupportBundle::files(const std::string& folder) const {
  std::string contents =
      "Secrets are replaced by REDACTED in all files: values of environment variables and annotations, tokens,\n"
      "passwords, private keys. A secret without a name next to it cannot be recognized: read the files before you\n"
      "give them to others.\n\nFiles:\n";
  for (const auto& file : files_) {
    contents += "  " + file.path + "  " + std::to_string(file.content.size()) + " bytes\n";
  }
  contents += missing_.empty() ? "\nNothing is missing.\n" : "\nNot read, or only in part:\n";
  for (const auto& [path, reason] : missing_) contents.append("  ").append(path).append(": ").append(reason) += "\n";
  std::vector<ArchivedFile> all = {{folder + "/contents.txt", std::move(contents)}};
  for (const auto& file : files_) {
    // 63 bytes of a pod's name and those of the folder fit, except for very long names.
    auto path = folder + "/" + file.path;
    if (path.size() > 100) path.erase(folder.size() + 6, path.size() - 100);
    all.push_back({std::move(path), file.content});
  }
  return all;
}

asio::awaitable<void> collect_bundle(kube::Client& client, async::Clock& clock, doctor::Examined examined,
                                     std::string version, SupportBundle& bundle, std::ostream& progress) {
  bundle.add("version.txt", version);
  doctor::Report report;
  auto audience = examined.name.text();
  auto otherwise = examined.ns.empty() ? examined.name.with("system") : examined.ns;
  co_await examine_with_progress(client, clock, std::move(examined), report, progress);
  bundle.add("doctor.txt", report_text(report));
  bundle.add("doctor.json", report_json(report) + "\n");
  for (const char* lost : {"api-server-unreachable", "credentials-rejected"}) {
    if (!report.findings.has(lost)) continue;
    bundle.add_missing("deployment.json and pods", "the API server was not asked, see doctor.txt");
    co_return;
  }
  BundleCollector collector(client, clock, std::move(audience), bundle);
  co_await collector.read_installation(report.deployment.empty() ? otherwise : report.ns, report.deployment);
}

}  // namespace keelson::program
