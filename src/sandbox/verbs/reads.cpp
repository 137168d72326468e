#include "src/sandbox/verbs/reads.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/requests/query_options.hpp"
#include "src/sandbox/verbs/scale.hpp"

namespace keelson::sandbox {

namespace {

// Our tokens are UUIDs.
bool has_form_of_token(std::string_view text) {
  return text.size() == 36 && text.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

}  // namespace

RejectionOr<Answer> Reads::get(const Call& call) const {
  // Not 400: kube-apiserver does not interpret this error of its storage.
  if (auto error = query_version_error(call)) return rejection(500, "", *error);
  KEELSON_TRY(check_listed_version(call, world_.store.version()));
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

void Reads::forget_pages_before(std::uint64_t version) {
  std::erase_if(pages_, [version](const Page& page) { return page.rest.all->version < version; });
}

RejectionOr<Reads::Scope> Reads::scope_of(const Call& call) const {
  KEELSON_TRY(check_list_options(call));
  Scope scope;
  if (!call.parameter("continue").empty()) {
    KEELSON_LET(scope.rest, continued(call));
    return scope;
  }
  KEELSON_LET(scope.selection, Selection::of(call));
  KEELSON_TRY(check_listed_version(call, world_.store.version()));
  auto match = call.parameter("resourceVersionMatch");
  // Without resourceVersionMatch, a limit means exactly that version (the behavior before that option existed).
  const bool is_exact = match == "Exact" || (match.empty() && version_number(call.parameter("limit")) > 0);
  if (is_exact) scope.version = version_number(call.parameter("resourceVersion"));
  return scope;
}

RejectionOr<Listing> Reads::continued(const Call& call) const {
  auto token = call.parameter("continue");
  auto page =
      std::ranges::find_if(pages_, [&token](const Page& p) { return p.token == token && !p.rest.all->is_abandoned; });
  if (page == pages_.end()) {
    if (!has_form_of_token(token)) return bad_request("invalid continue token: continue key is not valid");
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
