#include "src/webhook/review.hpp"

#include <array>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/json/writer.hpp"
#include "src/webhook/object_parts.hpp"
#include "src/webhook/review_limits.hpp"

namespace keelson::webhook {

namespace {

// The uid is sent back: the API server's has 36 characters.
constexpr std::size_t kReviewUidBytes = 256;

// The memory that a user with its groups may allocate. They reach the API server in HTTP headers, of at most 1 MiB, and
// lists and maps need about ten times their text.
constexpr std::size_t kUserMemoryBytes = std::size_t{8} << 20;

// The texts of a reply: its message and all its causes, a single cause, a single warning. The API server forwards 4 KiB
// of warnings.
constexpr std::size_t kMessageBytes = std::size_t{16} << 10;
constexpr std::size_t kCauseBytes = std::size_t{4} << 10;
constexpr std::size_t kWarningBytes = std::size_t{1} << 10;

constexpr std::string_view kBetaVersion = "admission.k8s.io/v1beta1";
constexpr std::string_view kKindOfReview = "AdmissionReview";

constexpr auto kOperations = std::to_array<std::pair<std::string_view, Operation>>({
    {"CREATE", Operation::kCreate},
    {"UPDATE", Operation::kUpdate},
    {"DELETE", Operation::kDelete},
    {"CONNECT", Operation::kConnect},
});

// Indexes of the scan's paths; those of the two objects follow.
enum ReviewPart : std::size_t {
  kRoot,
  kApiVersion,
  kReviewKind,
  kRequest,
  kUid,
  kOperation,
  kNamespace,
  kName,
  kSubResource,
  kDryRun,
  kResource,
  kUserInfo,
  kObject
};

Paths review_paths() {
  Paths paths = {{}, {"apiVersion"}, {"kind"}, {"request"}};
  for (const auto* name : {"uid", "operation", "namespace", "name", "subResource", "dryRun", "resource", "userInfo"}) {
    paths.push_back({"request", name});
  }
  for (const auto* name : {"object", "oldObject"}) {
    for (auto& path : object_paths({"request", name})) paths.push_back(std::move(path));
  }
  return paths;
}

bool is_null_or_absent(std::string_view json) { return json.empty() || json == "null"; }

// The raw JSON for a log line; a long one is shortened.
LogValue logged(std::string_view json) {
  if (json.empty()) return LogValue::json("null");
  return json.size() <= kube::kQuotedBytes ? LogValue::json(std::string(json)) : LogValue(kube::short_text(json));
}

Logger logger_of(const Logger& log, std::string_view resource, const Request& parsed) {
  const auto& key = parsed.key;
  json::Writer object;
  object.begin_object().field("name", kube::short_text(key.name));
  if (!key.ns.empty()) object.field("namespace", kube::short_text(key.ns));
  object.end_object();
  return log.with({{"object", LogValue::json(std::move(object).take())},
                   {"namespace", key.ns},
                   {"name", key.name},
                   {"resource", logged(resource)},
                   {"user", parsed.user.name},
                   {"requestID", parsed.uid}});
}

Result<void> check_envelope(const json::PathScan& scan, std::string& api_version) {
  constexpr std::string_view kNoReview = "couldn't get version/kind; json parse error: not an object";
  if (!scan.value(kRoot).starts_with('{')) return malformed_error(std::string(kNoReview));
  auto version = bounded_text(scan, kApiVersion, "apiVersion", kReviewTextBytes);
  if (!version) return std::move(version).error();
  auto kind = bounded_text(scan, kReviewKind, "kind", kReviewTextBytes);
  if (!kind) return std::move(kind).error();
  api_version = version->empty() ? kReviewVersion : std::move(*version);
  const bool is_version_known = api_version == kReviewVersion || api_version == kBetaVersion;
  if (!is_version_known || (!kind->empty() && *kind != kKindOfReview)) {
    return malformed_error("no kind " + kube::short_quote(*kind) + " is registered for version " +
                           kube::short_quote(api_version));
  }
  const auto request = scan.value(kRequest);
  const bool is_request_readable = is_null_or_absent(request) || request.starts_with('{');
  return is_request_readable ? Result<void>() : malformed_error("request: expected an object");
}

// Moves the texts of the scan into the request.
Result<void> take_texts(const json::PathScan& scan, Request& request, std::string& operation) {
  struct Wanted {
    ReviewPart part;
    std::string_view name;
    std::size_t limit;
    std::string& text;
  };
  const Wanted all[] = {{kUid, "request.uid", kReviewUidBytes, request.uid},
                        {kOperation, "request.operation", kReviewTextBytes, operation},
                        {kNamespace, "request.namespace", kReviewTextBytes, request.key.ns},
                        {kName, "request.name", kReviewTextBytes, request.key.name},
                        {kSubResource, "request.subResource", kReviewTextBytes, request.subresource}};
  for (const auto& wanted : all) {
    auto text = bounded_text(scan, wanted.part, wanted.name, wanted.limit);
    if (!text) return std::move(text).error();
    wanted.text = std::move(*text);
  }
  return {};
}

Result<void> take_objects(const json::PathScan& scan, async::Clock& clock, Request& request) {
  const auto parts_each = object_paths({}).size();
  auto object = object_parts(scan, kObject, "request.object");
  if (!object) return std::move(object).error();
  auto old_object = object_parts(scan, kObject + parts_each, "request.oldObject");
  if (!old_object) return std::move(old_object).error();
  request.object = ReviewedObject(clock, std::move(*object));
  request.old_object = ReviewedObject(clock, std::move(*old_object));
  const auto& named = request.object.is_absent() ? request.old_object : request.object;
  if (!named.name().empty()) request.key.name = named.name();
  return {};
}

// The metav1.StatusReason of a code. apierrors sets none for other codes.
std::string_view reason_of(int code) { return code == 403 ? "Forbidden" : ""; }

std::string cut(std::string_view text, std::size_t limit) { return kube::short_text(text, limit); }

// apierrors.NewInvalid.
void write_invalid(json::Writer& writer, const Answer& answer) {
  const auto& resource = answer.resource;
  const auto kind = resource.group.empty() ? resource.kind : resource.kind + "." + resource.group;
  const auto& errors = answer.decision.errors();
  constexpr kube::FieldErrorBytes kBytes{.each = kCauseBytes, .all = kMessageBytes};
  writer.field("status", "Failure");
  writer.field("message",
               kind + " " + kube::short_quote(answer.name) + " is invalid: " + kube::all_messages(errors, kBytes));
  writer.field("reason", "Invalid");
  writer.key("details").begin_object();
  if (!answer.name.empty()) writer.field("name", kube::short_text(answer.name));
  if (!resource.group.empty()) writer.field("group", resource.group);
  writer.field("kind", resource.kind);
  writer.raw_field("causes", kube::status_causes(errors, kBytes)).end_object();
}

void write_status(json::Writer& writer, const Answer& answer) {
  const auto& decision = answer.decision;
  writer.key("status").begin_object();
  writer.key("metadata").begin_object().end_object();
  if (!decision.errors().empty()) {
    write_invalid(writer, answer);
  } else {
    const auto reason = reason_of(decision.code());
    if (!decision.message().empty()) writer.field("message", cut(decision.message(), kMessageBytes));
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

void describe(kube::Description& d, User& user) {
  d.field("username", user.name, "");
  d.field("uid", user.uid, "");
  d.field("groups", user.groups, "");
}

ReviewScan::ReviewScan(std::string_view body) : scan_(body, review_paths()) {}

Result<bool> ReviewScan::advance(std::size_t bytes) {
  if (!is_scanned_) {
    auto done = scan_.advance(bytes);
    if (!done) return std::move(done.error()).with_context("couldn't get version/kind; json parse error");
    if (!*done) return false;
    is_scanned_ = true;
    const auto info = scan_.value(kUserInfo);
    if (!info.starts_with('{')) return true;
    user_decoder_.emplace(info, kube::type_of<User>(), &user_, "request.userInfo",
                          decoded_limit(info.size(), kUserMemoryBytes));
    // The slice is used up.
    return false;
  }
  return user_decoder_->advance(bytes);
}

Result<ParsedReview> ReviewScan::take(async::Clock& clock, const Logger& log) && {
  ParsedReview review{{}, {}, false, Request(log)};
  KEELSON_TRY(check_envelope(scan_, review.api_version));
  auto& request = review.request;
  KEELSON_TRY(take_texts(scan_, request, review.operation));
  KEELSON_TRY(take_objects(scan_, clock, request));
  request.user = std::move(user_);
  request.dry_run = scan_.value(kDryRun) == "true";
  request.log = logger_of(log, scan_.value(kResource), request);
  for (const auto& [name, value] : kOperations) {
    if (name != review.operation) continue;
    request.operation = value;
    review.is_known_operation = true;
  }
  return review;
}

Result<void> check_kind(const ReviewedObject& object, const kube::Resource& expected) {
  if (object.api_version().empty() && object.kind().empty()) return {};
  if (object.api_version() == expected.api_version() && object.kind() == expected.kind) return {};
  return malformed_error("unable to decode " + kube::short_text(object.api_version()) +
                         ", Kind=" + kube::short_text(object.kind()) + " into " + expected.api_version() +
                         ", Kind=" + expected.kind);
}

std::string review_text(const Answer& answer) {
  json::Writer writer;
  writer.begin_object();
  writer.field("kind", kKindOfReview).field("apiVersion", answer.api_version);
  writer.key("response").begin_object();
  writer.field("uid", answer.uid).field("allowed", answer.decision.is_allowed());
  write_status(writer, answer);
  const bool has_patch = !answer.patch.empty() && answer.patch != "[]";
  if (answer.decision.is_allowed() && has_patch) {
    writer.field("patch", base::base64_encode(answer.patch)).field("patchType", "JSONPatch");
  }
  if (!answer.decision.warnings().empty()) {
    writer.key("warnings").begin_array();
    for (const auto& warning : answer.decision.warnings()) writer.string(cut(warning, kWarningBytes));
    writer.end_array();
  }
  writer.end_object().end_object();
  return std::move(writer).take() + "\n";
}

}  // namespace keelson::webhook
