// The example of include/keelson/sandbox_data.
#include <memory>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox_data/data_file.hpp"

namespace keelson::examples {

// [data_file]
struct PersistentServer {
  std::unique_ptr<sandbox_data::DataFile> file;  // before the server, which it must outlive
  std::unique_ptr<sandbox::ApiServer> server;
};

Result<PersistentServer> open_server(async::Clock& clock, base::Random& random, Logger log) {
  KEELSON_LET(auto file, sandbox_data::DataFile::open("sandbox.db", std::move(log)));
  sandbox::ApiServerOptions options;
  options.journal = file.get();
  auto server = std::make_unique<sandbox::ApiServer>(clock, random, std::move(options));
  KEELSON_TRY(server->resume());
  return PersistentServer{std::move(file), std::move(server)};
}
// [end]

}  // namespace keelson::examples
