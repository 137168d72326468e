#include "src/access/answer_cache.hpp"

namespace keelson::access {

const AnswerCache::Answer* AnswerCache::find(const tls::Sha256& question, async::TimePoint now) const {
  const auto found = places_.find(question);
  if (found == places_.end() || found->second->expires <= now) return nullptr;
  return &*found->second;
}

void AnswerCache::remember(const tls::Sha256& question, std::shared_ptr<const User> user, async::TimePoint now) {
  const auto known = places_.find(question);
  if (known != places_.end()) forget(known->second);
  const auto bytes = kBytesPerAnswer + (user ? user->bytes() : 0);
  // A larger answer would evict all others and still not fit.
  if (bytes > limits_.bytes) return;
  while (!answers_.empty() && answers_.front().expires <= now) forget(answers_.begin());
  while (answers_.size() >= limits_.answers || bytes_ + bytes > limits_.bytes) forget(answers_.begin());
  answers_.push_back({question, std::move(user), now + limits_.lifetime, bytes});
  places_.emplace(question, std::prev(answers_.end()));
  bytes_ += bytes;
}

void AnswerCache::forget(Place place) {
  bytes_ -= place->bytes;
  places_.erase(place->question);
  answers_.erase(place);
}

}  // namespace keelson::access
