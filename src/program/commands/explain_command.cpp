#include "src/program/commands/explain_command.hpp"

#include <cstdlib>
#include <optional>
#include <ostream>

#include "keelson/base/try.hpp"
#include "keelson/detail/access/manager_pages.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/debug_objects.hpp"
#include "keelson/detail/controller/explain_policy.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/program/api_session.hpp"
#include "src/program/commands/commands.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

constexpr cli::Flag kExplainFlags[] = {
    {"address", "HOST:PORT",
     "The metrics address of a manager without HTTPS; otherwise its pods are asked through the API server."},
    kKubeconfigFlag,
    {"namespace", "NS", "The namespace of the manager (default OPERATOR-system)."},
    {"pod", "NAME", "Ask this pod; otherwise that of the leader."},
    {"output", "text|json", "The format of the answer (default text)."},
};

kube::ApiRequest request_of(const ExplainQuestion& question) {
  kube::ApiRequest request;
  request.raw_path = controller::kDebugObjectsPath;
  request.query = {{"kind", question.target.resource.qualified_plural()},
                   {"namespace", question.target.key.ns},
                   {"name", question.target.key.name}};
  request.headers = {{"Accept", question.wants_json ? "application/json" : "text/plain"}};
  return request;
}

// Empty if there is no lease, or if it cannot be read: then each pod is asked.
asio::awaitable<std::string> lease_holder(kube::Client& client, const ExplainQuestion& question) {
  auto lease = co_await kube::get(client, kube::leases(), kube::Key(question.ns, question.lease));
  if (!lease) co_return "";
  const auto document = json::Document::parse(lease->json());
  if (!document) co_return "";
  co_return std::string(document->root().at({"spec", "holderIdentity"}).string().value_or(""));
}

Task<std::vector<access::ManagerPod>> find_pods(kube::Client& client, const ExplainQuestion& question) {
  kube::ListOptions options;
  options.ns = question.ns;
  if (question.pod.empty()) {
    options.labels = kube::Selector::equals(
        {{"control-plane", "controller-manager"}, {"app.kubernetes.io/name", question.audience}});
  } else {
    options.fields = "metadata.name=" + question.pod;
  }
  auto found = co_await kube::list(client, kube::pods(), std::move(options));
  if (!found) co_return access::with_permission(std::move(found).error(), "list pods", question.ns);
  const auto holder = co_await lease_holder(client, question);
  std::vector<json::Document> pods;
  std::vector<json::View> roots;
  for (const auto& pod : found->items) {
    KEELSON_CO_LET(auto document, json::Document::parse(pod.json()));
    roots.push_back(document.root());
    pods.push_back(std::move(document));
  }
  co_return access::manager_pods(roots, holder);
}

std::string explanation_text(const controller::Explanation& explanation, bool wants_json) {
  if (!wants_json) return explanation.text + "\n" + explanation.remedy + "\n";
  json::Writer writer;
  writer.begin_object().key("items").begin_array().end_array().key("answer").begin_object();
  writer.field("name", explanation.answer.name).field("text", explanation.text);
  writer.field("remedy", explanation.remedy).end_object().end_object();
  return std::move(writer).take() + "\n";
}

Task<PodAnswer> explain_by_address(kube::Client& client, const ExplainQuestion& question) {
  auto reply = co_await client.send(request_of(question));
  if (!reply) co_return std::move(reply).error();
  co_return PodAnswer{std::move(reply->body)};
}

Task<void> store(Task<PodAnswer> asking, PodAnswer& answer) {
  KEELSON_CO_LET(answer, co_await std::move(asking));
  co_return Result<void>();
}

Result<ExplainQuestion> question_of(const ExplainCommand& command, const cli::Words& words) {
  ExplainQuestion question;
  question.wants_json = words.flag("output") == "json";
  KEELSON_LET(question.target, parse_explain_target(words.arguments, command.controllers));
  question.ns = words.flag("namespace", command.name.with("system"));
  question.pod = words.flag("pod");
  question.audience = command.name.text();
  question.lease = command.name.with("manager");
  return question;
}

Result<PodAnswer> ask_manager(const ExplainCommand& command, const cli::Words& words, const ExplainQuestion& question,
                              LogSink& log) {
  const auto address = words.flag("address");
  ApiSessionOptions options{.program = command.program, .name = command.name, .kubeconfig = words.flag("kubeconfig")};
  options.request_timeout = std::chrono::seconds(10);
  if (!address.empty()) options.server = "http://" + address;
  KEELSON_LET(auto session, ApiSession::connect(std::move(options), log));
  auto& client = session->client();
  PodAnswer answer;
  KEELSON_TRY(session->run([&client, &question, &answer, by_address = !address.empty()] {
    return store(by_address ? explain_by_address(client, question) : explain_by_pods(client, question), answer);
  }));
  return answer;
}

}  // namespace

Task<PodAnswer> explain_by_pods(kube::Client& client, const ExplainQuestion& question) {
  KEELSON_CO_LET(const auto pods, co_await find_pods(client, question));
  PodAnswer answer{
      explanation_text(controller::explain_as("no-manager", {question.ns}, question.ns), question.wants_json), false};
  const auto standby = controller::explain_as("standby", {}).text;
  std::optional<Error> failure;  // the first one
  for (const auto& pod : pods) {
    auto reply = co_await access::read_page(client, question.ns, pod, request_of(question), question.audience);
    if (!reply) {
      if (!failure) failure = std::move(reply).error();
      continue;
    }
    answer = PodAnswer{std::move(reply->body)};
    if (answer.text.find(standby) == std::string::npos) co_return answer;
  }
  if (failure) co_return std::move(*failure);
  co_return answer;
}

constexpr cli::Command kExplainCommand{
    "explain", "KIND NAMESPACE/NAME",
    "Ask the running manager why an object is in its state: its place in the queue and its last reconciles.",
    kExplainFlags};

int explain_command(const ExplainCommand& command, const std::vector<std::string>& arguments, std::ostream& out,
                    std::ostream& errors) {
  const auto run = [&](const cli::Words& words) -> Result<int> {
    KEELSON_LET(const auto question, question_of(command, words));
    const auto log = make_stderr_sink({});
    const auto explained = ask_manager(command, words, question, *log);
    if (explained) {
      // Another program may answer at this address.
      out << base::for_terminal(explained->text);
      return explained->is_of_manager ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    errors << base::for_terminal(explained.error().message()) << "\n";
    return EXIT_FAILURE;
  };
  return cli::run_command({command.program, out, errors}, kExplainCommand, arguments, run);
}

}  // namespace keelson::program
