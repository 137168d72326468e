// The receiver of a channel in a controller: it stores keys until it is opened, and then passes them on.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>

#include "keelson/controller/channel.hpp"

namespace keelson::limits {

// Keys that a channel stores for a controller that does not run yet. If there are more, the controller reconciles every
// object when it starts.
inline constexpr std::size_t kChannelKeys = 10'000;

}  // namespace keelson::limits

namespace keelson::controller {

// Distinct keys, at most limits::kChannelKeys; has_overflowed: there were more.
struct StoredKeys {
  std::set<kube::Key> keys;
  bool has_overflowed = false;

  void add(const kube::Key& key);
};

class ChannelReceiver {
 public:
  using Receive = std::function<void(const kube::Key& key, const std::string& reason)>;

  explicit ChannelReceiver(const Channel& channel);
  ChannelReceiver(const ChannelReceiver&) = delete;
  ChannelReceiver& operator=(const ChannelReceiver&) = delete;
  ~ChannelReceiver();

  // Returns the keys that were stored before; `receive` gets the later ones.
  [[nodiscard]] StoredKeys open(Receive receive);

 private:
  friend class Channel;
  void accept(const kube::Key& key, const std::string& reason);

  std::shared_ptr<Channel::State> state_;
  StoredKeys stored_;
  Receive receive_;
};

}  // namespace keelson::controller
