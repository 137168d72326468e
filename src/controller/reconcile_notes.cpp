#include "src/controller/reconcile_notes.hpp"

#include <algorithm>
#include <iterator>

#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/controller/limits.hpp"

namespace keelson::controller {

namespace {

// An older duration says little about the present.
constexpr auto kRemembered = std::chrono::hours(1);

auto find_note(auto& notes, std::string_view key) {
  return std::ranges::find_if(notes, [&](const auto& note) { return note.noted.key == key; });
}

}  // namespace

void ReconcileNotes::observe(std::string_view key, async::Duration lasted, const Error* error, async::TimePoint now) {
  note_duration(key, lasted, now);
  note_result(key, error, now);
}

void ReconcileNotes::note_duration(std::string_view key, async::Duration lasted, async::TimePoint now) {
  auto place = find_note(slowest_, key);
  if (place == slowest_.end() && slowest_.size() < limits::kNotedKeys) {
    slowest_.push_back({});
    place = std::prev(slowest_.end());
  }
  if (place == slowest_.end()) {
    const auto duration_of = [now](const auto& note) {
      return now - note.at > kRemembered ? async::Duration(0) : note.noted.lasted;
    };
    place = std::ranges::min_element(slowest_,
                                     [&](const auto& a, const auto& b) { return duration_of(a) < duration_of(b); });
    if (duration_of(*place) >= lasted) return;
  }
  place->noted.key = key;
  place->noted.lasted = lasted;
  place->at = now;
}

void ReconcileNotes::note_result(std::string_view key, const Error* error, async::TimePoint now) {
  const auto place = find_note(failing_, key);
  if (place != failing_.end()) failing_.erase(place);
  if (error == nullptr) return;
  if (failing_.size() >= limits::kNotedKeys) failing_.erase(failing_.begin());
  const auto message = error->message();
  std::string text(base::cut_utf8(message, limits::kNotedErrorBytes));
  failing_.push_back({{std::string(key), std::move(text), 0, {}}, now});
}

std::vector<SlowKey> ReconcileNotes::slowest(async::TimePoint now) const {
  std::vector<SlowKey> keys;
  for (const auto& [noted, at] : slowest_) {
    if (now - at <= kRemembered) keys.push_back({noted.key, noted.lasted, now - at});
  }
  std::ranges::sort(keys, [](const auto& a, const auto& b) { return a.lasted > b.lasted; });
  return keys;
}

std::vector<FailingKey> ReconcileNotes::failing(async::TimePoint now) const {
  std::vector<FailingKey> keys;
  for (auto note = failing_.rbegin(); note != failing_.rend(); ++note) {
    keys.push_back(note->noted);
    keys.back().ago = now - note->at;
  }
  return keys;
}

}  // namespace keelson::controller
