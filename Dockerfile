# The image of the manager: one static binary and the licenses of what is in it, built on Debian with what scripts/setup
# installs.
#
#   docker build -t keelson:dev --build-arg COMMIT="$(git rev-parse --short=7 HEAD)" .
#   docker buildx build --platform linux/amd64,linux/arm64 -t REGISTRY/keelson:TAG --push .
#
# The compiler runs on the machine that builds and compiles for the one that is asked for, so arm64 needs no emulation
# on amd64, nor the other way round. `scripts/image` does the same without a daemon, and tests what comes of it.
ARG BASE=debian:bookworm-slim

FROM --platform=$BUILDPLATFORM ${BASE} AS build
ARG TARGETARCH
WORKDIR /src
# Before the sources: a change of those installs nothing again, and does not compile OpenSSL again.
COPY scripts/setup scripts/setup
RUN scripts/setup --build "$TARGETARCH"
COPY . .
ARG COMMIT=unknown
# -s leaves out the symbols. A toolchain is named for another architecture only.
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
      org.opencontainers.image.licenses="Apache-2.0 AND BSD-3-Clause AND BSL-1.0 AND GPL-3.0-or-later WITH GCC-exception-3.1 AND ISC AND LGPL-2.1-or-later AND MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$COMMIT"
COPY LICENSE THIRD-PARTY-NOTICES /licenses/
COPY --from=build /src/build/release/manager /manager
# Numbers, for there is no /etc/passwd, and Pods under runAsNonRoot need one. Nothing is ever written.
USER 65532:65532
ENTRYPOINT ["/manager"]
