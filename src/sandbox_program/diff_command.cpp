#include "src/sandbox_program/diff_command.hpp"

#include <algorithm>
#include <ostream>
#include <set>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/local_file.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/detail/kube/discovery.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/program/api_session.hpp"
#include "src/sandbox_program/answer_differences.hpp"

namespace keelson::sandbox_program {

namespace {

constexpr const char* kManager = "keelson-sandbox";
constexpr int kDifferent = 1;
constexpr int kNotCompared = 2;

// An object of a file.
struct Sent {
  std::string file;
  std::string json;
};

Result<std::vector<Sent>> read_files(const cli::Words& words) {
  std::vector<Sent> all;
  for (const auto& flag : words.flags) {
    KEELSON_LET(const auto text, base::read_local_file(flag.value));
    if (!text) return invalid_error("open " + flag.value + ": no such file or directory");
    auto documents = json::yaml_documents_to_json(*text);
    if (!documents) return std::move(documents).error().with_context(flag.value);
    for (auto& document : *documents) all.push_back({flag.value, std::move(document)});
  }
  return all;
}

// What a server itself sets is not part of a definition that is created.
constexpr const char* kWithoutServerFields =
    R"({"metadata":{"uid":null,"resourceVersion":null,"generation":null,"creationTimestamp":null,"managedFields":null},)"
    R"("status":null})";

sandbox::ApiServerOptions server_options() {
  sandbox::ApiServerOptions options;
  options.latency = async::Duration::zero();
  options.has_controllers = false;
  options.has_cluster_objects = true;
  options.has_log = false;
  return options;
}

class Comparison {
 public:
  Comparison(program::ApiSession& session, const cli::Console& console)
      : session_(session),
        console_(console),
        random_(base::seed_from_os()),
        server_(session.clock(), random_, server_options()) {}

  Task<void> run(const std::vector<Sent>& all) {
    for (const auto& sent : all) {
      auto compared = co_await compare(sent);
      if (!compared) note(sent.file, compared.error());
    }
    co_return Result<void>();
  }

  [[nodiscard]] int status() const { return status_; }

 private:
  Task<void> compare(const Sent& sent) {
    KEELSON_CO_LET(const auto document, json::Document::parse(sent.json));
    const auto root = document.root();
    const auto api_version = root.find("apiVersion").string().value_or("");
    const auto slash = api_version.find('/');
    const bool is_core = slash == std::string_view::npos;
    const std::string group(is_core ? "" : api_version.substr(0, slash));
    const std::string version(is_core ? api_version : api_version.substr(slash + 1));
    const std::string kind(root.find("kind").string().value_or(""));
    if (version.empty() || kind.empty()) co_return invalid_error("an object has no apiVersion or kind");
    KEELSON_CO_LET(auto resource, co_await kube::discover(session_.client(), group, version, kind));
    const kube::Key key(resource.namespaced ? root.at({"metadata", "namespace"}).string().value_or(session_.ns()) : "",
                        root.at({"metadata", "name"}).string().value_or(""));
    KEELSON_CO_TRY(co_await prepare(resource, key.ns));
    KEELSON_CO_LET(const auto there, co_await ask(session_.client(), resource, key.ns, sent.json));
    const auto name = resource.qualified_plural() + " " + (key.ns.empty() ? "" : key.ns + "/") + key.name;
    if (there.reason == "AlreadyExists") co_return invalid_error(name + " exists in the cluster; rename it to compare");
    KEELSON_CO_LET(const auto here, co_await ask(server_.client(kManager), resource, key.ns, sent.json));
    report(sent.file + ": " + name, differences(root, there, here));
    co_return Result<void>();
  }

  // Copies the definition of the kind and the namespace, once.
  Task<void> prepare(kube::Resource resource, std::string ns) {
    if (prepared_.insert(resource.qualified_plural()).second) {
      KEELSON_CO_TRY(co_await copy(kube::custom_resource_definitions(), kube::Key("", resource.qualified_plural())));
    }
    if (!ns.empty() && ns != "default" && prepared_.insert("/" + ns).second) {
      KEELSON_CO_TRY(co_await copy(kube::namespaces(), kube::Key("", ns)));
    }
    co_return Result<void>();
  }

  // An object that the cluster does not have is missing here, too.
  Task<void> copy(kube::Resource resource, kube::Key key) {
    auto found = co_await kube::get(session_.client(), resource, key);
    if (!found && kube::is_not_found(found.error())) co_return Result<void>();
    if (!found) co_return std::move(found).error();
    KEELSON_CO_LET(const auto text, json::merge_patch(found->json(), kWithoutServerFields));
    auto added = server_.add_object(resource, "", text);
    if (!added && !kube::is_already_exists(added.error())) {
      co_return std::move(added).error().with_context("copy " + resource.qualified_plural() + " " + key.name);
    }
    co_return Result<void>();
  }

  static Task<Answer> ask(kube::Client& client, kube::Resource resource, std::string ns, std::string json) {
    kube::ApiRequest request;
    request.verb = kube::Verb::kCreate;
    request.resource = std::move(resource);
    request.key = kube::Key(std::move(ns), "");
    request.query = {{"dryRun", "All"}, {"fieldManager", kManager}};
    request.body = std::move(json);
    auto reply = co_await client.send(std::move(request));
    if (reply) co_return Answer{.code = reply->code, .object = std::move(reply->body)};
    auto& error = reply.error();
    if (error.kind != Error::Kind::kStatus) co_return std::move(error);
    co_return Answer{.code = error.code, .reason = error.reason, .message = error.server_text};
  }

  void report(const std::string& name, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    console_.out << base::for_terminal(name) << "\n";
    for (const auto& line : lines) console_.out << "  " << base::for_terminal(line) << "\n";
    status_ = std::max(status_, kDifferent);
  }

  void note(const std::string& file, const Error& error) {
    console_.errors << console_.program << ": " << base::for_terminal(file + ": " + error.message()) << "\n";
    status_ = kNotCompared;
  }

  program::ApiSession& session_;
  const cli::Console& console_;
  base::Random random_;
  sandbox::ApiServer server_;
  std::set<std::string> prepared_;
  int status_ = 0;
};

Result<int> diff(const cli::Console& console, const cli::Words& words) {
  if (words.arguments.size() != 1) return invalid_error("diff-against needs one kubeconfig");
  KEELSON_LET(const auto all, read_files(words));
  LogOptions options;
  options.encoder = LogOptions::Encoder::kConsole;
  const auto sink = make_stderr_sink(options);
  KEELSON_LET(const auto session,
              program::ApiSession::connect({.program = console.program, .kubeconfig = words.arguments.front()}, *sink));
  Comparison comparison(*session, console);
  const auto ran = session->run([&] { return comparison.run(all); });
  if (ran) return comparison.status();
  console.errors << console.program << ": " << base::for_terminal(ran.error().message()) << "\n";
  return kNotCompared;
}

}  // namespace

int diff_command(const cli::Console& console, const std::vector<std::string>& words) {
  const auto code =
      cli::run_command(console, kDiffCommand, words, [&](const cli::Words& given) { return diff(console, given); });
  return cli::check_output(console.out, console.errors, code);
}

}  // namespace keelson::sandbox_program
