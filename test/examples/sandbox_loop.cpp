// The example of include/keelson/sandbox/loop.
#include <boost/asio/awaitable.hpp>

#include "keelson/async/clock.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::examples {

// [test_loop]
// Ten minutes of virtual time pass at once: the result is 10.
std::size_t ticks_in_ten_minutes() {
  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  loop.run([&]() -> boost::asio::awaitable<void> {
    for (int minute = 0; minute < 10; ++minute) {
      co_await async::sleep_for(loop.clock(), std::chrono::minutes(1));
      Logger(sink).info("tick");
    }
  });
  return sink.count("tick");
}
// [end]

}  // namespace keelson::examples
