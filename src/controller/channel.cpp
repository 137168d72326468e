#include "keelson/controller/channel.hpp"

#include <algorithm>
#include <vector>

#include "src/controller/channel_receiver.hpp"

namespace keelson::controller {

struct Channel::State {
  std::vector<ChannelReceiver*> receivers;
  StoredKeys before_receivers;  // until a controller has started
};

Channel::Channel() : state_(std::make_shared<State>()) {}

void Channel::enqueue(const kube::Key& key, const std::string& reason) {
  if (state_->receivers.empty()) state_->before_receivers.add(key);
  for (auto* receiver : state_->receivers) receiver->accept(key, reason);
}

void StoredKeys::add(const kube::Key& key) {
  if (keys.size() < limits::kChannelKeys) {
    keys.insert(key);
  } else if (!keys.contains(key)) {
    has_overflowed = true;
  }
}

ChannelReceiver::ChannelReceiver(const Channel& channel) : state_(channel.state_), stored_(state_->before_receivers) {
  state_->receivers.push_back(this);
}

ChannelReceiver::~ChannelReceiver() { std::erase(state_->receivers, this); }

StoredKeys ChannelReceiver::open(Receive receive) {
  receive_ = std::move(receive);
  state_->before_receivers = {};
  return std::move(stored_);
}

void ChannelReceiver::accept(const kube::Key& key, const std::string& reason) {
  if (receive_) return receive_(key, reason);
  stored_.add(key);
}

}  // namespace keelson::controller
