# The image of the manager: a static binary, certificate authorities, and the licenses of its parts, built on Debian with the
# packages that scripts/setup installs.
#
#   docker build -t keelson:dev --build-arg COMMIT="$(git rev-parse --short=7 HEAD)" .
#   docker buildx build --platform linux/amd64,linux/arm64 -t REGISTRY/keelson:TAG --push .
#
# The compiler runs on the build machine and cross-compiles for the requested platform, so arm64 needs no emulation on
# amd64, and vice versa. `scripts/image` does the same without a daemon, and tests the image.
ARG BASE=debian:bookworm-slim

FROM --platform=$BUILDPLATFORM ${BASE} AS build
ARG TARGETARCH
WORKDIR /src
# Before the sources are copied, so that a change of them neither installs packages nor compiles OpenSSL again.
COPY scripts/setup scripts/setup
RUN scripts/setup --build "$TARGETARCH"
COPY . .
ARG COMMIT=unknown
# -s removes the symbols. Only other architectures need a toolchain file.
RUN --mount=type=cache,target=/root/.cache/ccache \
    export LDFLAGS=-s KEELSON_COMMIT="$COMMIT" && \
    if [ "${TARGETARCH:-here}" != here ] && [ "$TARGETARCH" != "$(dpkg --print-architecture)" ]; then \
      export CMAKE_TOOLCHAIN_FILE="/src/cmake/toolchains/$TARGETARCH.cmake"; \
    fi && \
    scripts/build release manager

FROM scratch
ARG COMMIT=unknown
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="keelson" \
      org.opencontainers.image.description="Kubernetes controllers in one static C++ binary" \
      org.opencontainers.image.licenses="Apache-2.0 AND BSD-3-Clause AND BSL-1.0 AND GPL-3.0-or-later WITH GCC-exception-3.1 AND ISC AND LGPL-2.1-or-later AND MIT AND MPL-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$COMMIT"
COPY LICENSE THIRD-PARTY-NOTICES /licenses/
# The authorities that are trusted for https:// outside the cluster, such as a collector of traces.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /usr/share/doc/ca-certificates/copyright /licenses/ca-certificates
COPY --from=build /src/build/release/manager /manager
# A numeric user, because there is no /etc/passwd and runAsNonRoot requires a number. The manager writes no files.
USER 65532:65532
ENTRYPOINT ["/manager"]
