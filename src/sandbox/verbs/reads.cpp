#include "src/sandbox/verbs/reads.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/sandbox/limits.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/requests/query_numbers.hpp"
#include "src/sandbox/verbs/scale.hpp"

namespace keelson::sandbox {

namespace {

// Validates the options of a list, as ValidateListOptions of apimachinery does.
std::vector<FieldError> check_list_options(const Call& call) {
  std::vector<FieldError> errors;
  auto forbid = [&errors](std::string field, const std::string& text) {
    errors.emplace_back(FieldReason::kForbidden, std::move(field), std::string_view(), text);
  };
  auto match = call.parameter("resourceVersionMatch");
  auto version = call.parameter("resourceVersion");
  if (!match.empty()) {
    const std::string field = "resourceVersionMatch";
    if (version.empty()) forbid(field, field + " is forbidden unless resourceVersion is provided");
    if (!call.parameter("continue").empty()) forbid(field, field + " is forbidden when continue is provided");
    if (match != "Exact" && match != "NotOlderThan") {
      errors.emplace_back(FieldReason::kNotSupported, field, base::quote_go(match), R"("", "Exact", "NotOlderThan")");
    }
    if (match == "Exact" && version == "0") forbid(field, field + R"( "exact" is forbidden for resourceVersion "0")");
  }
  if (call.query.contains("sendInitialEvents")) {
    forbid("sendInitialEvents", "sendInitialEvents is forbidden for list");
  }
  return errors;
}

}  // namespace

RejectionOr<Answer> Reads::get(const Call& call) const {
  const auto* entry = world_.store.find(*call.kind, call.key);
  if (entry == nullptr) return not_found(call.resource(), call.key.name);
  if (call.subresource == Subresource::kScale) return Answer{200, scale_of(*call.kind, entry->stored().tree).text()};
  return Answer{200, std::string(entry->object.json())};
}

RejectionOr<Answer> Reads::list(const Call& call) {
  KEELSON_LET(auto scope, scope_of(call));
  Snapshot snapshot;
  if (!scope.rest) {
    snapshot = take_snapshot(world_.store, *call.kind, scope.selection);
    KEELSON_TRY(go_to_version(call, scope, snapshot));
  }
  KEELSON_TRY(convert(call, snapshot.objects));
  return Answer{200, list_json(listed(call, scope, std::move(snapshot)))};
}

boost::asio::awaitable<RejectionOr<Listing>> Reads::list_in_slices(Call call) {
  KEELSON_CO_LET(auto scope, scope_of(call));
  Snapshot snapshot;
  if (!scope.rest) {
    snapshot = co_await take_snapshot_in_slices(world_.clock, world_.store, *call.kind, scope.selection);
    KEELSON_CO_TRY(go_to_version(call, scope, snapshot));
  }
  co_return listed(call, scope, std::move(snapshot));
}

RejectionOr<Reads::Scope> Reads::scope_of(const Call& call) const {
  KEELSON_TRY(check_query_numbers(call));
  auto errors = check_list_options(call);
  if (!errors.empty()) {
    return invalid_object({"meta.k8s.io", "v1", "ListOptions", "listoptions", false}, "", errors);
  }
  Scope scope;
  if (!call.parameter("continue").empty()) {
    KEELSON_LET(scope.rest, continued(call));
    return scope;
  }
  KEELSON_LET(scope.selection, Selection::of(call));
  if (auto error = query_version_error(call)) return bad_request("invalid resource version: " + *error);
  auto asked = version_number(call.parameter("resourceVersion"));
  if (asked > world_.store.version()) return too_large_version(asked, world_.store.version());
  auto match = call.parameter("resourceVersionMatch");
  // Without resourceVersionMatch, a limit means exactly that version (the behavior before that option existed).
  const bool is_exact = match == "Exact" || (match.empty() && version_number(call.parameter("limit")) > 0);
  if (is_exact) scope.version = asked;
  return scope;
}

RejectionOr<Listing> Reads::continued(const Call& call) const {
  auto token = call.parameter("continue");
  auto page = std::ranges::find_if(pages_, [&token](const Page& p) { return p.token == token; });
  if (page == pages_.end()) {
    return expired(
        "The provided continue parameter is too old to display a consistent list result. You can start a new list "
        "without the continue parameter.");
  }
  if (page->rest.kind != call.kind || page->ns != call.key.ns) {
    return bad_request("continue key is not valid: it is of another list");
  }
  return page->rest;
}

RejectionOr<void> Reads::go_to_version(const Call& call, const Scope& scope, Snapshot& snapshot) const {
  if (scope.version == 0 || scope.version >= snapshot.version) return {};
  if (go_back(snapshot, scope.version, world_.store, *call.kind, scope.selection)) return {};
  return expired("The resourceVersion for the provided list is too old.");
}

Listing Reads::listed(const Call& call, const Scope& scope, Snapshot snapshot) {
  if (scope.rest) return cut(call, *scope.rest);
  Listing all;
  all.kind = call.kind;
  all.all = std::make_shared<Snapshot>(std::move(snapshot));
  all.end = all.all->objects.size();
  return cut(call, std::move(all));
}

RejectionOr<void> Reads::convert(const Call& call, std::vector<kube::Object>& objects) const {
  const auto& kind = *call.kind;
  if (call.admission == nullptr || !kind.conversion || !kind.conversion->has_webhook) return {};
  std::optional<Rejection> waits;  // a single call of the webhook converts all objects
  for (auto& object : objects) {
    if (!is_of_other_version(kind, object.json())) continue;
    auto key = std::string(object.uid()) + "@" + std::to_string(object.resource_version());
    auto converted = call.admission->converted(kind, key, kind.resource.api_version(), [&object] {
      auto tree = Tree::parse(object.json());
      return tree ? *tree : Tree();
    });
    if (!converted) {
      waits = std::move(converted.error());
      continue;
    }
    auto read = kube::Object::from_json(converted->text());
    if (read) object = std::move(*read);
  }
  if (waits) return std::move(*waits);
  return {};
}

Listing Reads::cut(const Call& call, Listing listing) {
  auto limit = version_number(call.parameter("limit"));
  auto count = listing.end - listing.begin;
  if (limit == 0 || count <= limit) return listing;
  Page next{world_.random.uuid(), call.key.ns, listing};
  listing.end = listing.begin + limit;
  next.rest.begin = listing.end;
  listing.token = next.token;
  // With a selector, the real server does not know the number of remaining objects.
  const bool is_selection = !call.parameter("labelSelector").empty() || !call.parameter("fieldSelector").empty();
  if (!is_selection) listing.remaining = static_cast<std::int64_t>(count - limit);
  pages_.push_back(std::move(next));
  if (pages_.size() > limits::kSandboxPages) pages_.pop_front();
  return listing;
}

}  // namespace keelson::sandbox
