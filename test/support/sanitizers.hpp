// KEELSON_SANITIZED: 1 under the address and undefined behavior sanitizers. The first has its own allocator; the second
// reads memory through a pipe, so programs cannot run under it without file descriptors.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define KEELSON_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KEELSON_SANITIZED 1
#endif
#endif
#ifndef KEELSON_SANITIZED
#define KEELSON_SANITIZED 0
#endif
