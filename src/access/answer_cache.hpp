// A cache of the API server's answers, under the hash of the question.
//
// Limited in number and in bytes; at a limit the oldest answer is evicted, which is also the first to expire.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>

#include "keelson/async/clock.hpp"
#include "keelson/detail/tls/sha256.hpp"
#include "src/access/review.hpp"

namespace keelson::access {

// The memory of an answer in addition to the user's name and groups: its hash, a list node and a map node.
inline constexpr std::size_t kBytesPerAnswer = 192;

class AnswerCache {
 public:
  struct Limits {
    async::Duration lifetime;
    std::size_t answers;
    std::size_t bytes;
  };
  explicit AnswerCache(Limits limits) : limits_(limits) {}

  struct Answer {
    tls::Sha256 question;
    std::shared_ptr<const User> user;  // of an accepted token, else null
    async::TimePoint expires;
    std::size_t bytes;
  };
  // Null if there is no answer, or if it has expired. Valid until the next call.
  [[nodiscard]] const Answer* find(const tls::Sha256& question, async::TimePoint now) const;
  void remember(const tls::Sha256& question, std::shared_ptr<const User> user, async::TimePoint now);

  [[nodiscard]] std::size_t size() const { return answers_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  using Place = std::list<Answer>::iterator;
  void forget(Place place);

  Limits limits_;
  std::list<Answer> answers_;  // the oldest first
  std::map<tls::Sha256, Place> places_;
  std::size_t bytes_ = 0;
};

}  // namespace keelson::access
