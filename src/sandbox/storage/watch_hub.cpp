#include "src/sandbox/storage/watch_hub.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/sandbox/limits.hpp"
#include "src/sandbox/kinds/version_view.hpp"
#include "src/sandbox/requests/query_options.hpp"

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

// The type of the event that the watch sends of this change; null: none.
const char* event_of(const Watcher& watcher, const Change& change) {
  // A new definition may have moved the kind since the change.
  if (&change.kind->home() != &watcher.kind->home()) return nullptr;
  const bool was = change.before && watcher.selection.matches(*change.before);
  const bool is = change.after && watcher.selection.matches(*change.after);
  if (is) return was ? "MODIFIED" : "ADDED";
  return was ? "DELETED" : nullptr;
}

}  // namespace

void Watcher::say(const std::string& type, std::string_view object) {
  if (end != End::kOpen) return;
  said += line(type, object);
  changed.notify_all();
}

void Watcher::set_bookmark(std::uint64_t version) {
  bookmark_ = version;
  changed.notify_all();
}

void Watcher::begin_at(History::Place place) {
  place_ = std::move(place);
  seek();
}

void Watcher::hear() {
  if (event_ != nullptr) return;
  seek();
  if (event_ != nullptr) changed.notify_all();
}

std::optional<std::uint64_t> Watcher::unread_from() const {
  const auto* change = place_.change();
  return change != nullptr ? std::optional(change->version) : std::nullopt;
}

// Goes to the next write that is an event of this watch.
void Watcher::seek() {
  event_ = nullptr;
  while (place_ != until_) {
    const auto* change = place_.change();
    if (change == nullptr) return;
    event_ = event_of(*this, *change);
    if (event_ != nullptr) return;
    place_.advance();
  }
  place_ = History::Place();
}

std::string Watcher::next_line() const {
  const auto& change = *place_.change();
  if (change.after && event_ == std::string_view("DELETED")) {
    return line(event_, with_version(*change.before, change.version));
  }
  if (change.after) return line(event_, change.after->json());
  return line(event_, (change.last ? *change.last : *change.before).json());
}

void Watcher::write_events() {
  while (said.size() - taken_ < limits::kSandboxPieceBytes) {
    const bool is_behind_events = event_ == nullptr || (bookmark_ && place_.change()->version > *bookmark_);
    if (bookmark_ && is_behind_events) {
      said += line("BOOKMARK", bookmark(*kind, *std::exchange(bookmark_, std::nullopt), false));
    } else if (event_ != nullptr) {
      said += next_line();
      place_.advance();
      seek();
    } else {
      return;
    }
  }
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
  if (is_in_front()) return std::string_view(front_).substr(front_taken_);
  write_events();
  return std::string_view(said).substr(taken_);
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
  said = said.substr(taken_);
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
  if (end != End::kOpen) return changed.notify_all();
  if (how == End::kBroken) return abandon();
  end = how;
  until_ = place_.last();
  if (event_ == nullptr) seek();
  changed.notify_all();
}

void Watcher::abandon() {
  end = End::kBroken;
  std::vector<kube::Object>().swap(initial);
  said = front_ = std::string();
  taken_ = front_taken_ = sent_ = 0;
  place_ = History::Place();
  event_ = nullptr;
  bookmark_.reset();
  changed.notify_all();
}

bool begins_with_objects(const Call& call) {
  if (call.is_set("sendInitialEvents")) return true;
  return version_number(call.parameter("resourceVersion")) == 0 && call.given("sendInitialEvents") == nullptr;
}

RejectionOr<std::shared_ptr<Watcher>> WatchHub::open(const Call& call, const Store& store,
                                                     std::optional<Snapshot> initial) {
  KEELSON_TRY(check_watch_options(call));
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
    watcher.begin_at(store.history().end());
    if (call.is_set("sendInitialEvents") && watcher.wants_bookmarks) {
      watcher.say("BOOKMARK", bookmark(*call.kind, store.version(), true));
    }
    return;
  }
  auto from = version_number(call.parameter("resourceVersion"));
  const auto& history = store.history();
  auto place = from == 0 ? history.end() : history.place_after(from);
  if (!place) {
    auto text = "too old resource version: " + std::to_string(from) + " (" + std::to_string(history.oldest()) + ")";
    watcher.say("ERROR", expired(text).text());
    return watcher.finish(Watcher::End::kProper);
  }
  watcher.begin_at(*std::move(place));
}

void WatchHub::tell(const History& history) {
  for (const auto& watcher : living()) watcher->hear();
  relieve(history);
}

void WatchHub::add_list(const std::shared_ptr<Snapshot>& list, const History& history) {
  std::erase_if(lists_, [](const std::weak_ptr<Snapshot>& weak) { return weak.expired(); });
  list->place = history.place_after(list->version).value_or(history.end());
  lists_.push_back(list);
}

void WatchHub::relieve(const History& history) {
  while (history.bytes_of_places() > limits::kSandboxWatchBytes) {
    if (!abandon_slowest()) return;
  }
}

// False if no watch and no list is behind.
bool WatchHub::abandon_slowest() {
  std::optional<std::uint64_t> oldest;
  std::function<void()> abandon;
  const auto consider = [&](std::optional<std::uint64_t> version, const auto& reader) {
    if (!version || (oldest && *oldest <= *version)) return;
    oldest = version;
    abandon = [reader] { reader->abandon(); };
  };
  for (const auto& weak : watchers_) {
    if (const auto watcher = weak.lock()) consider(watcher->unread_from(), watcher);
  }
  for (const auto& weak : lists_) {
    if (const auto list = weak.lock(); list && !list->is_abandoned) consider(list->version, list);
  }
  if (abandon) abandon();
  return oldest.has_value();
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
      watcher->set_bookmark(store.version());
    }
    if (is_wanted) arm_bookmarks(store);
  });
}

std::vector<std::shared_ptr<Watcher>> WatchHub::living() {
  std::vector<std::shared_ptr<Watcher>> alive;
  std::erase_if(watchers_, [&alive](const std::weak_ptr<Watcher>& weak) {
    auto watcher = weak.lock();
    if (!watcher) return true;
    // A watch that has ended may still have events to send.
    if (watcher->end != Watcher::End::kOpen) return !watcher->unread_from();
    alive.push_back(std::move(watcher));
    return false;
  });
  return alive;
}

}  // namespace keelson::sandbox
