// The end of a channel in one controller: stores keys until it is opened, and passes them on from then on.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "keelson/controller/channel.hpp"

namespace keelson::controller {

// Distinct keys up to limits::kChannelKeys; of more it only knows that there were some.
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

  // What has come before, each key once; `receive` gets what comes from now on.
  [[nodiscard]] StoredKeys open(Receive receive);

 private:
  friend class Channel;
  void accept(const kube::Key& key, const std::string& reason);

  std::shared_ptr<Channel::State> state_;
  StoredKeys stored_;
  Receive receive_;
};

}  // namespace keelson::controller
