// A certificate request that a real server accepts, for spec.request.
#pragma once

#include <string>

namespace keelson::sandbox::fixtures {

inline const std::string kCertificateRequest =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01ISUNBUUF3RURFT01Bd0dBMVVFQXd3RllXeHBZMlV3V1RBVEJn"
    "Y3Foa2pPUFFJQkJnZ3Foa2pPUFFNQgpCd05DQUFSRkR4TDRqLytOY01oQ1NLVTB3MExHcEcva2dLeGFmWEl5SnF2cEp0MFJlZnBqNTJH"
    "MCttc1oyQjZmCjVUMStlVStqYlQvK0gxTmdaTWpXWlFaWU83MzhvQUF3Q2dZSUtvWkl6ajBFQXdJRFNBQXdSUUloQUs5N0FVKy8KTWsz"
    "NmJWSGRIM2hUM0ZXektUb29WaDEyVnZZcmFkQzNxVGhPQWlBNVBHQVl2eDBGcmxTV1g2NW85cTUyZ3lkdQo1NzQwWTgrdXN3cmY5Q3Z0"
    "NXc9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";

}  // namespace keelson::sandbox::fixtures
