#include "src/controller/history_texts.hpp"

#include <algorithm>

#include "keelson/detail/base/utf8.hpp"

namespace keelson::controller {

namespace {

constexpr const char* kOmitted = "…";

// Stand for the object's name and namespace. Control characters do not occur in errors, which are one line.
constexpr std::string_view kName = "\x01";
constexpr std::string_view kNamespace = "\x02";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::size_t heap_bytes(const std::string& text) {
  // A default string owns nothing, so its capacity is that of every text inside a string.
  const bool is_inside = text.capacity() == std::string().capacity();
  return is_inside ? 0 : text.capacity() + 1;
}

TextTable::TextTable() { static_cast<void>(id_of(kOmitted)); }

TextTable::Id TextTable::id_of(std::string_view text) {
  if (text.size() > kLongestText) return 0;
  const auto found = ids_.find(text);
  if (found != ids_.end()) return found->second;
  const bool is_full =
      texts_.size() >= limits::kRecordedTexts || text_bytes_ + text.size() > limits::kRecordedTextBytes;
  if (is_full) return 0;
  const auto id = static_cast<Id>(texts_.size());
  const auto& stored = texts_.emplace_back(text);
  text_bytes_ += text.size();
  ids_.emplace(stored, id);
  return id;
}

const std::string& TextTable::text_of(Id id) const { return texts_[id < texts_.size() ? id : 0]; }

std::size_t TextTable::bytes() const {
  // A node of the map: its value, a pointer and the hash.
  constexpr auto kNode = sizeof(std::pair<std::string_view, Id>) + 2 * sizeof(void*);
  std::size_t bytes = ids_.bucket_count() * sizeof(void*) + texts_.size() * (sizeof(std::string) + kNode);
  for (const auto& text : texts_) bytes += heap_bytes(text);
  return bytes;
}

ErrorTable::Id ErrorTable::add(std::string_view error, const kube::Key& key) {
  std::string text(error.substr(0, 2 * limits::kRecordedErrorBytes));
  replace_all(text, key.name, kName);
  replace_all(text, key.ns, kNamespace);
  if (text.size() > limits::kRecordedErrorBytes) {
    text = std::string(base::cut_utf8(text, limits::kRecordedErrorBytes)) + kOmitted;
  }
  ++adds_;
  auto place = std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.text == text; });
  if (place == entries_.end()) {
    if (entries_.size() < limits::kRecordedErrors) {
      place = entries_.emplace(entries_.end());
    } else {
      place = std::ranges::min_element(entries_,
                                       [](const Entry& left, const Entry& right) { return left.used < right.used; });
    }
    place->text = std::move(text);
    place->id = ++last_id_;
  }
  place->used = adds_;
  return place->id;
}

std::string ErrorTable::text_of(Id id, const kube::Key& key) const {
  const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.id == id; });
  if (id == 0 || found == entries_.end()) return "";
  auto text = found->text;
  replace_all(text, kName, key.name);
  replace_all(text, kNamespace, key.ns);
  return text;
}

std::size_t ErrorTable::bytes() const {
  std::size_t bytes = entries_.capacity() * sizeof(Entry);
  for (const auto& entry : entries_) bytes += heap_bytes(entry.text);
  return bytes;
}

}  // namespace keelson::controller
