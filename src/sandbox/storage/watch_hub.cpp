#include "src/sandbox/storage/watch_hub.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/sandbox/limits.hpp"
#include "src/sandbox/kinds/version_view.hpp"
#include "src/sandbox/requests/query_numbers.hpp"

namespace keelson::sandbox {

namespace {

std::string bookmark(const ServedKind& kind, std::uint64_t version, bool ends_initial_events) {
  auto metadata = Tree::object({{"resourceVersion", std::to_string(version)}, {"creationTimestamp", Tree()}});
  if (ends_initial_events) metadata["annotations"] = Tree::object({{"k8s.io/initial-events-end", "true"}});
  return Tree::object(
             {{"kind", kind.resource.kind}, {"apiVersion", kind.resource.api_version()}, {"metadata", metadata}})
      .text();
}

// An object that leaves the selection of a watch is reported as deleted, with the version of the change.
std::string with_version(const kube::Object& object, std::uint64_t version) {
  auto tree = Tree::parse(object.json());
  (*tree)["metadata"]["resourceVersion"] = std::to_string(version);
  return tree->text();
}

void tell_one(Watcher& watcher, const Change& change) {
  if (change.kind != &watcher.kind->home()) return;
  const bool was = change.before && watcher.selection.matches(*change.before);
  if (!change.after) {
    if (was) watcher.say("DELETED", (change.last ? *change.last : *change.before).json());
    return;
  }
  const bool is = watcher.selection.matches(*change.after);
  if (is) watcher.say(was ? "MODIFIED" : "ADDED", change.after->json());
  if (was && !is) watcher.say("DELETED", with_version(*change.before, change.version));
}

// Validates the options of a watch, as ValidateListOptions of apimachinery does.
std::vector<FieldError> check_watch_options(const Call& call) {
  std::vector<FieldError> errors;
  auto match = call.parameter("resourceVersionMatch");
  const bool has_initial = call.query.contains("sendInitialEvents");
  auto forbid = [&errors](const std::string& text) {
    errors.push_back({FieldReason::kForbidden, "resourceVersionMatch", {}, text});
  };
  if (has_initial && match != "NotOlderThan") {
    forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (!match.empty() && !has_initial) {
    forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  return errors;
}

}  // namespace

void Watcher::say(const std::string& type, std::string_view object) {
  if (end != End::kOpen) return;
  said += line(type, object);
  // As in kube-apiserver, the watch of a client that does not read is closed.
  if (said.size() - taken_ > limits::kSandboxWatchBytes) end = End::kBroken;
  changed.notify_all();
}

std::string Watcher::line(const std::string& type, std::string_view object) const {
  std::string text = "{\"type\":\"" + type + "\",\"object\":";
  // If a webhook converts the kind, its events are converted on their way to the client.
  const bool is_relabeled = kind != nullptr && kind->conversion && !kind->conversion->has_webhook;
  if (view != nullptr) {
    text += as_viewed(*view, object);
  } else if (is_relabeled) {
    text += relabeled(*kind, object);
  } else {
    text += object;
  }
  return text += "}\n";
}

std::string_view Watcher::unread() {
  if (!is_in_front() && sent_ < initial.size()) {
    front_ = std::string();
    front_taken_ = 0;
    while (sent_ < initial.size() && front_.size() < limits::kSandboxPieceBytes) {
      const auto object = std::move(initial[sent_++]);
      front_ += line("ADDED", object.json());
    }
    if (sent_ == initial.size()) std::vector<kube::Object>().swap(initial);
  }
  return is_in_front() ? std::string_view(front_).substr(front_taken_) : std::string_view(said).substr(taken_);
}

void Watcher::take(std::size_t bytes) {
  if (is_in_front()) {
    front_taken_ += bytes;
    if (!is_in_front()) front_ = std::string();
    if (front_.empty()) front_taken_ = 0;
    return;
  }
  taken_ += bytes;
  // Read bytes are not removed at each read, because a long list would be moved many times.
  if (taken_ < said.size() / 2) return;
  said.erase(0, taken_);
  taken_ = 0;
}

std::string Watcher::take_lines() {
  auto text = unread();
  const bool is_short = text.size() <= limits::kSandboxPieceBytes;
  std::string lines(text.substr(0, is_short ? text.size() : text.find('\n', limits::kSandboxPieceBytes) + 1));
  take(lines.size());
  return lines;
}

void Watcher::finish(End how) {
  if (end == End::kOpen) end = how;
  changed.notify_all();
}

bool begins_with_objects(const Call& call) {
  if (call.is_set("sendInitialEvents")) return true;
  return version_number(call.parameter("resourceVersion")) == 0 && !call.query.contains("sendInitialEvents");
}

RejectionOr<std::shared_ptr<Watcher>> WatchHub::open(const Call& call, const Store& store,
                                                     std::optional<Snapshot> initial) {
  KEELSON_TRY(check_query_numbers(call));
  auto errors = check_watch_options(call);
  if (!errors.empty()) {
    return invalid_object({"meta.k8s.io", "v1", "ListOptions", "listoptions", false}, "", errors);
  }
  KEELSON_LET(auto selection, Selection::of(call));
  // Not 400: the watches of kube-apiserver do not interpret this error of its storage.
  if (auto error = query_version_error(call)) return rejection(500, "", *error);
  auto watcher = std::make_shared<Watcher>();
  watcher->kind = call.kind;
  watcher->view = call.view;
  watcher->selection = std::move(selection);
  watcher->wants_bookmarks = call.is_set("allowWatchBookmarks");
  begin(*watcher, call, store, std::move(initial));
  if (is_closed_) watcher->finish(Watcher::End::kProper);
  // A century is longer than any watch, and does not overflow clocks.
  constexpr std::uint64_t kLongestTimeout = std::uint64_t{100} * 365 * 24 * 3600;
  auto seconds = std::min(version_number(call.parameter("timeoutSeconds")), kLongestTimeout);
  if (seconds > 0) {
    auto when = clock_.now() + std::chrono::seconds(seconds);
    watcher->deadline = clock_.call_at(when, [&w = *watcher] { w.finish(Watcher::End::kProper); });
  }
  static_cast<void>(living());
  watchers_.push_back(watcher);
  begin_life(*watcher);
  if (watcher->wants_bookmarks) arm_bookmarks(store);
  return watcher;
}

void WatchHub::begin(Watcher& watcher, const Call& call, const Store& store, std::optional<Snapshot> initial) {
  if (begins_with_objects(call)) {
    if (!initial) initial = take_snapshot(store, *call.kind, watcher.selection);
    watcher.initial = std::move(initial->objects);
    if (call.is_set("sendInitialEvents") && watcher.wants_bookmarks) {
      watcher.say("BOOKMARK", bookmark(*call.kind, store.version(), true));
    }
    return;
  }
  auto from = version_number(call.parameter("resourceVersion"));
  if (from == 0) return;
  auto changes = store.since(from);
  if (!changes) {
    auto text = "too old resource version: " + std::to_string(from) + " (" + std::to_string(store.oldest()) + ")";
    watcher.say("ERROR", expired(text).status.text());
    return watcher.finish(Watcher::End::kProper);
  }
  for (const auto* change : *changes) tell_one(watcher, *change);
}

void WatchHub::tell(const Change& change) {
  for (const auto& watcher : living()) tell_one(*watcher, change);
}

void WatchHub::drop(const ServedKind* kind) {
  for (const auto& watcher : living()) {
    if (kind == nullptr || watcher->kind == kind) watcher->finish(Watcher::End::kBroken);
  }
}

void WatchHub::close() {
  is_closed_ = true;
  for (const auto& watcher : living()) watcher->finish(Watcher::End::kProper);
}

void WatchHub::limit_lives(NextLife next_life) {
  next_life_ = std::move(next_life);
  ended_lives_ = std::make_shared<std::size_t>(0);
  for (const auto& watcher : living()) begin_life(*watcher);
}

void WatchHub::begin_life(Watcher& watcher) {
  watcher.life.reset();
  auto life = next_life_ ? next_life_() : std::nullopt;
  if (!life) return;
  watcher.life = clock_.call_at(clock_.now() + *life, [&watcher, ended = ended_lives_] {
    if (watcher.end == Watcher::End::kOpen) ++*ended;
    watcher.finish(Watcher::End::kBroken);
  });
}

std::size_t WatchHub::size() { return living().size(); }

void WatchHub::arm_bookmarks(const Store& store) {
  if (bookmark_timer_) return;
  bookmark_timer_ = clock_.call_at(clock_.now() + bookmark_period_, [this, &store] {
    bookmark_timer_.reset();
    bool is_wanted = false;
    for (const auto& watcher : living()) {
      if (!watcher->wants_bookmarks) continue;
      is_wanted = true;
      watcher->say("BOOKMARK", bookmark(*watcher->kind, store.version(), false));
    }
    if (is_wanted) arm_bookmarks(store);
  });
}

std::vector<std::shared_ptr<Watcher>> WatchHub::living() {
  std::vector<std::shared_ptr<Watcher>> alive;
  std::erase_if(watchers_, [&alive](const std::weak_ptr<Watcher>& weak) {
    auto watcher = weak.lock();
    if (!watcher || watcher->end != Watcher::End::kOpen) return true;
    alive.push_back(std::move(watcher));
    return false;
  });
  return alive;
}

}  // namespace keelson::sandbox
