// Records Events as kube-controller-manager, the scheduler and the kubelet do: repeated Events are counted, similar
// ones combined, and floods dropped, by the rules of client-go's EventCorrelator.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>

#include "src/sandbox/controllers/operations.hpp"

namespace keelson::sandbox {

struct RecordedEvent {
  std::string component;  // "deployment-controller"
  const kube::Resource& resource;
  const kube::Object& object;
  std::string type;  // Normal or Warning
  std::string reason;
  std::string message;
  std::string field_path = {};  // a path in the object
  std::string host = {};        // the host of a kubelet
};

class EventRecorder {
 public:
  explicit EventRecorder(World& world) : world_(world) {}
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  void record(Operations& by, const RecordedEvent& event);
  // Records that a pod was bound to a node, in the scheduler's format.
  void record_binding(Operations& by, const kube::Object& pod, const std::string& node);
  void record_unschedulable(Operations& by, const kube::Object& pod, const std::string& why);

 private:
  struct Scheduling {
    const char* type;
    const char* reason;
    std::string message;
    const char* action;
  };
  void record_scheduling(Operations& by, const kube::Object& pod, const Scheduling& what);

  struct Similar {  // Events that differ only in their messages
    std::set<std::string> messages;
    async::TimePoint last{};
  };
  struct Counted {
    kube::Key key;
    std::int64_t count = 0;
    std::string first_time;
  };
  struct Allowance {  // the rate limit of Events about one object
    double tokens = 0;
    async::TimePoint refilled{};
  };

  [[nodiscard]] bool is_allowed(const std::string& object);
  // The message to record, and the key by which the Event is counted.
  [[nodiscard]] std::pair<std::string, std::string> combined(const std::string& group, const std::string& message);
  [[nodiscard]] std::string name_of(const kube::Object& object);
  void create(Operations& by, const std::string& ns, Tree event);

  World& world_;
  std::map<std::string, Similar> similar_;
  std::map<std::string, Counted> counted_;
  std::map<std::string, Allowance> allowances_;
  std::deque<kube::Key> recorded_;  // oldest first
  std::int64_t last_name_ = 0;
};

}  // namespace keelson::sandbox
