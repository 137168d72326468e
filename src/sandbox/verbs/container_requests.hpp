// pods/log, exec, attach and portforward: no container runs here, so the reply is that error, or one about the request.
#pragma once

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

[[nodiscard]] Rejection reject_container_request(const World& world, const Call& call);

}  // namespace keelson::sandbox
