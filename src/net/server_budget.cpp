#include "keelson/detail/net/server_budget.hpp"

#include "src/net/handshake_gate.hpp"
#include "src/net/server_ledger.hpp"

namespace keelson::net {

ServerBudget::ServerBudget(ServerLimits limits)
    : ledger_(std::make_unique<ServerLedger>(limits)),
      handshakes_(std::make_unique<HandshakeGate>(limits.handshakes)),
      large_work_(limits.large_work_bytes),
      small_work_(limits.small_work_bytes) {}

ServerBudget::~ServerBudget() = default;

std::size_t ServerBudget::connections() const { return ledger_->connections(); }
std::size_t ServerBudget::held_bytes() const { return ledger_->held_bytes(); }

}  // namespace keelson::net
