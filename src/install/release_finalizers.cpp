#include "src/install/release_finalizers.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/finalizer.hpp"
#include "keelson/detail/kube/pager.hpp"
#include "src/install/deletion_policy.hpp"
#include "src/install/writes.hpp"

namespace keelson::install {

namespace {

class Release {
 public:
  Release(kube::Client& client, async::Clock& clock, kube::Resource resource, std::vector<std::string> finalizers)
      : client_(client), clock_(clock), resource_(std::move(resource)), finalizers_(std::move(finalizers)) {}

  [[nodiscard]] Task<void> run(async::Duration timeout);

 private:
  [[nodiscard]] Task<std::size_t> round();
  [[nodiscard]] Error remaining_error(std::size_t remaining, async::Duration timeout) const;

  kube::Client& client_;
  async::Clock& clock_;
  kube::Resource resource_;
  std::vector<std::string> finalizers_;
  std::optional<Error> last_error_;  // a temporary one
};

// Ends after a round that finds no finalizer: a patch may fail for a time, and another client may be faster.
Task<void> Release::run(async::Duration timeout) {
  Progress progress(clock_.now(), timeout);
  async::Duration pause = kShortestPause;
  for (;;) {
    KEELSON_CO_LET(const auto remaining, co_await round());
    if (remaining == 0) co_return Result<void>();
    const auto now = clock_.now();
    if (progress.update(remaining, now)) pause = kShortestPause;
    if (progress.has_ended(now)) co_return remaining_error(remaining, timeout);
    co_await async::sleep_for(clock_, pause);
    pause = std::min<async::Duration>(2 * pause, kLongestPause);
  }
}

// Removes one finalizer of the program from each object. Returns the number of objects that had one.
Task<std::size_t> Release::round() {
  std::size_t found = 0;
  kube::Pager pages(client_, resource_, {.limit = kUninstallPage, .content = kube::Content::kMetadata});
  for (;;) {
    auto page = co_await pages.next();
    if (!page && kube::is_not_found(page.error())) co_return found;
    if (!page && kube::is_gone(page.error())) co_return found + 1;  // the next round reads the rest
    if (!page) co_return std::move(page).error();
    if (page->items.empty()) co_return found;
    std::vector<Write> writes;
    for (const auto& object : page->items) {
      const auto state = state_of(object, finalizers_, client_.operator_name(), clock_.wall_now());
      if (state.own.empty()) continue;
      writes.push_back({object.key(), controller::remove_finalizer_patch(object, state.own.front())});
    }
    found += writes.size();
    KEELSON_CO_LET(auto temporary, co_await write_all(client_, resource_, std::move(writes)));
    if (temporary) last_error_ = std::move(temporary);
  }
}

Error Release::remaining_error(std::size_t remaining, async::Duration timeout) const {
  auto text = resource_.qualified_plural() + ": " + count_of_objects(remaining) + (remaining == 1 ? " has" : " have") +
              " the finalizer " + base::join(finalizers_, ", ") + " and did not lose it for " +
              base::format_go_duration(timeout) + ". Remove the cause and run the command again";
  if (last_error_) text += "\nlast error: " + last_error_->message();
  return timeout_error(std::move(text));
}

}  // namespace

Task<void> release_finalizers(kube::Client& client, async::Clock& clock, kube::Resource resource,
                              std::vector<std::string> finalizers, async::Duration timeout) {
  Release release(client, clock, std::move(resource), std::move(finalizers));
  co_return co_await release.run(timeout);
}

}  // namespace keelson::install
