// serviceaccounts/token: the response to a POST of a TokenRequest (`kubectl create token`) is a new token.
#pragma once

#include "src/sandbox/authentication/service_account_tokens.hpp"
#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

[[nodiscard]] RejectionOr<Answer> request_token(World& world, ServiceAccountTokens& tokens, const Call& call);

}  // namespace keelson::sandbox
