// What is wrong with one replica at the moment.
#pragma once

#include "keelson/async/notify.hpp"
#include "keelson/sandbox/replicas.hpp"

namespace keelson::sandbox {

struct ReplicaCondition {
  bool is_dead = false;     // nothing that it asks for is sent, nothing that was answered arrives
  bool is_paused = false;   // it does nothing; time goes on
  bool is_cut_off = false;  // from the API server
  async::Duration latency = kUsualLatency;
  async::Notify changed;
};

}  // namespace keelson::sandbox
