// Tells cancellation, which only unwinds, from everything else that may leave a coroutine.
#pragma once

#include <exception>

namespace keelson::async {

[[nodiscard]] bool is_cancelled(const std::exception_ptr& exception);

}  // namespace keelson::async
