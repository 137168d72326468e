// The last writes, for watches and lists from an earlier version, and the writes that open watches have not sent yet.
//
// Each write is stored once, in a chain. A watch has a place in the chain, which retains all later writes; therefore a
// slow client costs as many bytes as its place is behind, and a thousand of them at one place cost the same.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "keelson/kube/object.hpp"
#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// A write: the object before and after it.
struct Change {
  std::uint64_t version = 0;
  const ServedKind* kind = nullptr;
  std::optional<kube::Object> before;
  std::optional<kube::Object> after;  // nullopt: deleted
  // The object that watches send. For a deletion: the last object, with the version of the deletion.
  std::optional<kube::Object> last = std::nullopt;

  [[nodiscard]] kube::Key key() const { return (after ? *after : *before).key(); }
};

class History {
  struct Link;

 public:
  // A place between two writes, or none. Valid also after the end of the history.
  class Place {
   public:
    Place() = default;
    // The first write after this place; null: it has not happened yet.
    [[nodiscard]] const Change* change() const;
    // Goes behind change(), which must not be null.
    void advance();
    // The place after the last write so far.
    [[nodiscard]] Place last() const;
    [[nodiscard]] bool is_none() const { return link_ == nullptr; }
    bool operator==(const Place&) const = default;

   private:
    friend class History;
    explicit Place(std::shared_ptr<const Link> link) : link_(std::move(link)) {}
    std::shared_ptr<const Link> link_;
  };

  History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Adds a write, and forgets the oldest ones beyond limits::kSandboxHistory and kSandboxHistoryBytes.
  void record(Change change);
  // Forgets all writes up to this version, which is the current one.
  void forget_all(std::uint64_t version);

  // The changes after `version`, oldest first; nullopt if the history does not have all of them. Valid until record().
  [[nodiscard]] std::optional<std::vector<const Change*>> since(std::uint64_t version) const;
  // The place before these changes.
  [[nodiscard]] std::optional<Place> place_after(std::uint64_t version) const;
  // The place after all changes.
  [[nodiscard]] Place end() const { return Place(end_); }

  // The history has all changes after this version.
  [[nodiscard]] std::uint64_t oldest() const { return forgotten_; }
  // The bytes that the history uses in addition to the objects that still exist.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // The same of the writes that only places retain, because the history has forgotten them.
  [[nodiscard]] std::size_t bytes_of_places() const { return *all_bytes_ - bytes_; }

 private:
  using Links = std::deque<std::shared_ptr<const Link>>;
  [[nodiscard]] Links::const_iterator first_after(std::uint64_t version) const;

  std::shared_ptr<std::size_t> all_bytes_;  // of all links, also of those that only places retain
  std::uint64_t forgotten_ = 0;
  std::size_t bytes_ = 0;
  Links links_;
  std::shared_ptr<Link> end_;  // the next write will be here
};

}  // namespace keelson::sandbox
