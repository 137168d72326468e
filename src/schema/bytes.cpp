#include "keelson/detail/schema/bytes.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

Result<Bytes> Bytes::read(json::View view) {
  const auto text = view.string();
  if (!text) return malformed_error("expected " + std::string(kExpected));
  KEELSON_LET(auto decoded, base::base64_decode(*text));
  return Bytes(std::move(decoded));
}

void Bytes::write(json::Writer& writer) const { writer.string(base::base64_encode(bytes)); }

}  // namespace keelson::kube
