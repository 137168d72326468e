// get and list.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/world.hpp"
#include "src/sandbox/verbs/listing.hpp"

namespace keelson::limits {

// Open list pages.
inline constexpr std::size_t kSandboxPages = 64;

}  // namespace keelson::limits

namespace keelson::sandbox {

class Reads {
 public:
  explicit Reads(World& world) : world_(world) {}

  [[nodiscard]] RejectionOr<Answer> get(const Call& call) const;
  [[nodiscard]] RejectionOr<Answer> list(const Call& call);
  // The same list, not yet rendered. Other requests are answered while it is collected. Not for kinds that a webhook
  // converts.
  [[nodiscard]] boost::asio::awaitable<RejectionOr<Listing>> list_in_slices(Call call);
  // Makes the continue tokens of lists before this version expire, as after a compaction of etcd.
  void forget_pages_before(std::uint64_t version);
  // Makes all continue tokens expire.
  void forget_pages() { pages_.clear(); }

 private:
  // The remaining objects of a list whose earlier pages reached the limit.
  struct Page {
    std::string token;
    std::string ns;
    Listing rest;
  };
  // The objects that a list selects: the remaining pages of an earlier list, or objects at the current or an earlier
  // version.
  struct Scope {
    std::optional<Listing> rest;
    Selection selection;
    std::uint64_t version = 0;  // 0: the current one
  };
  [[nodiscard]] RejectionOr<Scope> scope_of(const Call& call) const;
  [[nodiscard]] RejectionOr<Listing> continued(const Call& call) const;
  // Changes the snapshot to the version of the scope; 410 if the history does not reach back to it.
  [[nodiscard]] RejectionOr<void> go_to_version(const Call& call, const Scope& scope, Snapshot& snapshot) const;
  [[nodiscard]] Listing listed(const Call& call, const Scope& scope, Snapshot snapshot);
  // The first page, up to the limit of the call.
  [[nodiscard]] Listing cut(const Call& call, Listing listing);
  // Converts the objects to the version of the call with a webhook.
  [[nodiscard]] RejectionOr<void> convert(const Call& call, std::vector<kube::Object>& objects) const;

  World& world_;
  std::deque<Page> pages_;
};

}  // namespace keelson::sandbox
