#include "src/webhook/review.hpp"

#include <array>
#include <set>
#include <utility>

#include "keelson/base/go_text.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/kube/base64.hpp"

namespace keelson::webhook {

namespace {

constexpr std::string_view kBetaVersion = "admission.k8s.io/v1beta1";
constexpr std::string_view kKind = "AdmissionReview";

constexpr auto kOperations = std::to_array<std::pair<std::string_view, Operation>>({
    {"CREATE", Operation::kCreate},
    {"UPDATE", Operation::kUpdate},
    {"DELETE", Operation::kDelete},
    {"CONNECT", Operation::kConnect},
});

std::string text_of(json::View value) { return std::string(value.string().value_or("")); }

// `null` says as little as absence.
json::View value_of(json::View view) { return view.has_value() ? view : json::View(); }

User user_of(json::View info) {
  User user;
  user.name = text_of(info.find("username"));
  user.uid = text_of(info.find("uid"));
  for (const auto group : info.find("groups").items()) user.groups.push_back(text_of(group));
  return user;
}

Logger logger_of(const Logger& log, json::View request, const Request& parsed) {
  const auto& key = parsed.key;
  json::Writer object;
  object.begin_object().field("name", key.name);
  if (!key.ns.empty()) object.field("namespace", key.ns);
  object.end_object();
  return log.with({{"object", LogValue::json(std::move(object).take())},
                   {"namespace", key.ns},
                   {"name", key.name},
                   {"resource", LogValue::json(request.find("resource").text())},
                   {"user", parsed.user.name},
                   {"requestID", parsed.uid}});
}

Request request_of(json::View request, const Logger& log) {
  Request parsed(log);
  parsed.uid = text_of(request.find("uid"));
  parsed.object = value_of(request.find("object"));
  parsed.old_object = value_of(request.find("oldObject"));
  const auto named = parsed.object.is_absent() ? parsed.old_object : parsed.object;
  const auto own_name = named.at({"metadata", "name"}).string().value_or("");
  parsed.key = kube::Key(text_of(request.find("namespace")), own_name);
  if (own_name.empty()) parsed.key.name = text_of(request.find("name"));
  parsed.subresource = text_of(request.find("subResource"));
  parsed.user = user_of(request.find("userInfo"));
  parsed.dry_run = request.find("dryRun").boolean().value_or(false);
  parsed.log = logger_of(log, request, parsed);
  return parsed;
}

// metav1.StatusReason of the codes that have one; apierrors gives no other a reason either.
std::string_view reason_of(int code) { return code == 403 ? "Forbidden" : ""; }

// As field.ErrorList.ToAggregate: each text once, brackets around more than one.
std::string aggregate(const std::vector<kube::FieldError>& errors) {
  std::set<std::string> seen;
  std::string joined;
  for (const auto& error : errors) {
    auto message = error.message();
    if (!seen.insert(message).second) continue;
    joined += (joined.empty() ? "" : ", ") + message;
  }
  return seen.size() > 1 ? "[" + joined + "]" : joined;
}

void write_causes(json::Writer& writer, const std::vector<kube::FieldError>& errors) {
  writer.key("causes").begin_array();
  for (const auto& error : errors) {
    writer.begin_object();
    writer.field("reason", error.reason).field("message", error.detail).field("field", error.path);
    writer.end_object();
  }
  writer.end_array();
}

// apierrors.NewInvalid.
void write_invalid(json::Writer& writer, const Answer& answer) {
  const auto& resource = answer.resource;
  const auto kind = resource.group.empty() ? resource.kind : resource.kind + "." + resource.group;
  const auto& errors = answer.decision.errors();
  writer.field("status", "Failure");
  writer.field("message", kind + " " + base::quote_go(answer.name) + " is invalid: " + aggregate(errors));
  writer.field("reason", "Invalid");
  writer.key("details").begin_object();
  if (!answer.name.empty()) writer.field("name", answer.name);
  if (!resource.group.empty()) writer.field("group", resource.group);
  writer.field("kind", resource.kind);
  write_causes(writer, errors);
  writer.end_object();
}

void write_status(json::Writer& writer, const Answer& answer) {
  const auto& decision = answer.decision;
  writer.key("status").begin_object();
  writer.key("metadata").begin_object().end_object();
  if (!decision.errors().empty()) {
    write_invalid(writer, answer);
  } else {
    const auto reason = reason_of(decision.code());
    if (!decision.message().empty()) writer.field("message", decision.message());
    if (!reason.empty()) writer.field("reason", reason);
  }
  writer.field("code", decision.code()).end_object();
}

}  // namespace

std::string_view name_of(Operation operation) {
  for (const auto& [name, known] : kOperations) {
    if (known == operation) return name;
  }
  return "";
}

Result<Review> parse_review(std::string_view body, const Logger& log) {
  auto document = json::Document::parse(body);
  if (!document) return std::move(document.error()).within("couldn't get version/kind; json parse error");
  const auto root = document->root();
  if (!root.is_object()) return malformed("couldn't get version/kind; json parse error: not an object");
  auto api_version = text_of(root.find("apiVersion"));
  auto kind = text_of(root.find("kind"));
  if (api_version.empty()) api_version = kReviewVersion;
  const bool is_version_known = api_version == kReviewVersion || api_version == kBetaVersion;
  if (!is_version_known || (!kind.empty() && kind != kKind)) {
    return malformed("no kind " + base::quote_go(kind) + " is registered for version " + base::quote_go(api_version));
  }
  const auto request = root.find("request");
  if (request.has_value() && !request.is_object()) return malformed("request: expected an object");
  auto operation = text_of(request.find("operation"));
  auto parsed = request_of(request, log);
  bool is_known = false;
  for (const auto& [name, value] : kOperations) {
    if (name != operation) continue;
    parsed.operation = value;
    is_known = true;
  }
  return Review{std::move(*document), std::move(api_version), std::move(operation), is_known, std::move(parsed)};
}

Result<void> check_kind(json::View object, const kube::Resource& expected) {
  const auto api_version = object.find("apiVersion").string();
  const auto kind = object.find("kind").string();
  if (!api_version && !kind) return {};
  if (api_version == expected.api_version() && kind == expected.kind) return {};
  return malformed("unable to decode " + text_of(object.find("apiVersion")) + ", Kind=" + text_of(object.find("kind")) +
                   " into " + expected.api_version() + ", Kind=" + expected.kind);
}

std::string review_text(const Answer& answer) {
  json::Writer writer;
  writer.begin_object();
  writer.field("kind", kKind).field("apiVersion", answer.api_version);
  writer.key("response").begin_object();
  writer.field("uid", answer.uid).field("allowed", answer.decision.is_allowed());
  write_status(writer, answer);
  const bool has_patch = !answer.patch.empty() && answer.patch != "[]";
  if (answer.decision.is_allowed() && has_patch) {
    writer.field("patch", kube::base64_encode(answer.patch)).field("patchType", "JSONPatch");
  }
  if (!answer.decision.warnings().empty()) {
    writer.key("warnings").begin_array();
    for (const auto& warning : answer.decision.warnings()) writer.string(warning);
    writer.end_array();
  }
  writer.end_object().end_object();
  return std::move(writer).take() + "\n";
}

}  // namespace keelson::webhook
