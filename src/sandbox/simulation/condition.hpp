// The active faults of a replica.
#pragma once

#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/sandbox/replicas.hpp"

namespace keelson::sandbox {

struct ReplicaCondition {
  bool is_dead = false;     // killed: no request is sent, and no reply arrives
  bool is_paused = false;   // paused: it executes nothing, while time passes
  bool is_cut_off = false;  // partitioned: disconnected from the API server
  async::Duration latency = kUsualLatency;
  async::Notify changed;
};

}  // namespace keelson::sandbox
