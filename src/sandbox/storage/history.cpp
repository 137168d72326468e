#include "src/sandbox/storage/history.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/sandbox/limits.hpp"

namespace keelson::sandbox {

struct History::Link {
  explicit Link(std::shared_ptr<std::size_t> all) : all_bytes(std::move(all)) {}
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  // Releases the links behind it in a loop: a recursion over a long chain would overflow the stack.
  ~Link() {
    *all_bytes -= bytes;
    while (next && next.use_count() == 1) {
      auto rest = std::move(next->next);
      next = std::move(rest);
    }
  }

  Change change;
  std::size_t bytes = 0;
  std::shared_ptr<Link> next;  // null: the write has not happened yet
  std::shared_ptr<std::size_t> all_bytes;
};

namespace {

// The object after a write still exists, or is the object before a later one, whose bytes are counted there.
std::size_t bytes_of(const Change& change) {
  const auto of = [](const std::optional<kube::Object>& object) { return object ? object->block_bytes() : 0; };
  return of(change.before) + of(change.last);
}

}  // namespace

const Change* History::Place::change() const { return link_ && link_->next ? &link_->change : nullptr; }

void History::Place::advance() {
  KEELSON_ASSERT(change() != nullptr);
  link_ = std::shared_ptr<const Link>(link_->next);
}

History::Place History::Place::last() const {
  Place place = *this;
  while (place.change() != nullptr) place.advance();
  return place;
}

History::History() : all_bytes_(std::make_shared<std::size_t>(0)), end_(std::make_shared<Link>(all_bytes_)) {}

void History::record(Change change) {
  end_->bytes = sizeof(Link) + bytes_of(change);
  end_->change = std::move(change);
  *all_bytes_ += end_->bytes;
  bytes_ += end_->bytes;
  end_->next = std::make_shared<Link>(all_bytes_);
  links_.push_back(end_);
  end_ = end_->next;
  while (links_.size() > limits::kSandboxHistory || bytes_ > limits::kSandboxHistoryBytes) {
    forgotten_ = links_.front()->change.version;
    bytes_ -= links_.front()->bytes;
    links_.pop_front();
  }
}

void History::forget_all(std::uint64_t version) {
  forgotten_ = version;
  bytes_ = 0;
  links_.clear();
}

History::Links::const_iterator History::first_after(std::uint64_t version) const {
  const auto version_of = [](const std::shared_ptr<const Link>& link) { return link->change.version; };
  return std::ranges::upper_bound(links_, version, {}, version_of);
}

std::optional<std::vector<const Change*>> History::since(std::uint64_t version) const {
  if (version < forgotten_) return std::nullopt;
  std::vector<const Change*> changes;
  for (auto link = first_after(version); link != links_.end(); ++link) changes.push_back(&(*link)->change);
  return changes;
}

std::optional<History::Place> History::place_after(std::uint64_t version) const {
  if (version < forgotten_) return std::nullopt;
  const auto link = first_after(version);
  return link == links_.end() ? end() : Place(*link);
}

}  // namespace keelson::sandbox
