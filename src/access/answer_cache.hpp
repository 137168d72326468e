// Answers of the API server that are remembered for a while, under the hash of what was asked.
//
// Bounded in number and in bytes; at a bound the oldest goes, which is also the first to expire.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>

#include "keelson/async/clock.hpp"
#include "keelson/net/sha256.hpp"
#include "src/access/review.hpp"

namespace keelson::access {

// What an answer takes beside a user's name and groups: its hash, a node of a list and one of a map.
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
    net::Sha256 question;
    std::shared_ptr<const User> user;  // of a good token, else null
    async::TimePoint expires;
    std::size_t bytes;
  };
  // Null when it is not known, or not any more. Good until the next call.
  [[nodiscard]] const Answer* find(const net::Sha256& question, async::TimePoint now) const;
  void remember(const net::Sha256& question, std::shared_ptr<const User> user, async::TimePoint now);

  [[nodiscard]] std::size_t size() const { return answers_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  using Place = std::list<Answer>::iterator;
  void forget(Place place);

  Limits limits_;
  std::list<Answer> answers_;  // the oldest first
  std::map<net::Sha256, Place> places_;
  std::size_t bytes_ = 0;
};

}  // namespace keelson::access
