// Compiles Asio's function bodies once (BOOST_ASIO_SEPARATE_COMPILATION), with a measured wait in its loop.
#include "src/async/measured_wait.hpp"

// `context()` is a member of Asio's reactor, the only caller.
#define epoll_wait(...) ::keelson::async::measured_epoll_wait(context(), __VA_ARGS__)

#include <boost/asio/impl/src.hpp>
