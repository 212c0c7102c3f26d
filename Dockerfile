# The images: fluxd with fluxctl, and the tools that generators use; and the console. See docs/image.md.
# name: generated from src/own-image/own-image.ts
# To build it: docker build --tag=docker.io/weirdev/weir:0.1.0 .
# /name
# Releases are built from this file, too, without running anything of it: they bring Debian, Node.js, the tools, and the
# builds of this repository along, in place of the stages of these names.
ARG DEBIAN=debian:bookworm-slim
# To build on one certain Node.js, pin it: --build-arg NODE=node:24-bookworm-slim@sha256:…
ARG NODE=node:24-bookworm-slim

# The pinned packages of Debian, for any architecture.
FROM --platform=$BUILDPLATFORM ${DEBIAN} AS debian
ARG TARGETARCH
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates mmdebstrap openssl
COPY docker/debian.sh /docker/debian.sh
COPY docker/debian /docker/debian
RUN sh /docker/debian.sh "$TARGETARCH" /

FROM ${NODE} AS node

FROM --platform=$BUILDPLATFORM ${DEBIAN} AS tools
ARG TARGETARCH
RUN if [ "$TARGETARCH" != amd64 ]; then \
    echo "The tools for generators are pinned for amd64 only: build with --platform=linux/amd64, or --target=slim" >&2; exit 1; \
  fi
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates wget
WORKDIR /usr/local/bin
# downloads: generated from docker/tools.json
RUN wget --quiet --output-document=download https://get.helm.sh/helm-v3.18.4-linux-amd64.tar.gz \
  && echo "f8180838c23d7c7d797b208861fecb591d9ce1690d8704ed1e4cb8e2add966c1  download" | sha256sum --check --strict \
  && tar --extract --gzip --file=download --transform='s|.*/||' linux-amd64/helm && rm download \
  && chmod 0755 helm
RUN wget --quiet --output-document=download https://dl.k8s.io/v1.21.14/kubernetes-client-linux-amd64.tar.gz \
  && echo "52a98cc64abeea4187391cbf0ad5bdd69b6920c2b29b8f9afad194441e642fb8f252e14a91c095ef1e85a23e5bb587916bd319566b6e8d1e03be5505400f44b4  download" | sha512sum --check --strict \
  && tar --extract --gzip --file=download --transform='s|.*/||' kubernetes/client/bin/kubectl && rm download \
  && chmod 0755 kubectl
RUN wget --quiet --output-document=download https://github.com/kubernetes-sigs/kustomize/releases/download/kustomize%2Fv3.8.7/kustomize_v3.8.7_linux_amd64.tar.gz \
  && echo "4a3372d7bfdffe2eaf729e77f88bc94ce37dc84de55616bfe90aac089bf6fd02  download" | sha256sum --check --strict \
  && tar --extract --gzip --file=download --transform='s|.*/||' kustomize && rm download \
  && chmod 0755 kustomize
RUN wget --quiet --output-document=download https://github.com/getsops/sops/releases/download/v3.7.3/sops-v3.7.3.linux.amd64 \
  && echo "53aec65e45f62a769ff24b7e5384f0c82d62668dd96ed56685f649da114b4dbb  download" | sha256sum --check --strict \
  && mv download sops \
  && chmod 0755 sops
# /downloads

FROM --platform=$BUILDPLATFORM ${NODE} AS build
WORKDIR /weir
COPY package.json package-lock.json .npmrc ./
# Workspaces: npm links them, and installs what they depend on.
COPY packages packages
COPY dev/testing dev/testing
COPY dev/toolchain dev/toolchain
COPY hub/package.json hub/package.json
COPY scripts/setup.sh scripts/setup.sh
RUN sh scripts/setup.sh build
COPY . .
RUN node scripts/build.ts && sh docker/files.sh weir /image

FROM build AS build-console
RUN sh scripts/setup.sh && node scripts/console-page.ts && sh docker/files.sh console /console

FROM scratch AS base
COPY --from=debian /base /
COPY --from=node --chmod=0755 /usr/local/bin/node /usr/local/bin/node
# Where Debian's packages have theirs.
COPY --from=node --chmod=0644 /usr/local/LICENSE /usr/share/doc/node/copyright
ENV PATH=/opt/weir:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

FROM base AS generators
COPY --from=debian /tools /
COPY --from=tools /usr/local/bin /usr/local/bin
# licenses: generated from docker/tools.json
COPY --chmod=0644 docker/licenses/helm.txt /usr/share/doc/helm/copyright
COPY --chmod=0644 docker/licenses/kubectl.txt /usr/share/doc/kubectl/copyright
COPY --chmod=0644 docker/licenses/kustomize.txt /usr/share/doc/kustomize/copyright
COPY --chmod=0644 docker/licenses/sops.txt /usr/share/doc/sops/copyright
# /licenses

# weir:X-slim, by --target=slim.
FROM base AS slim
COPY --from=build /image /
WORKDIR /home/flux
ENTRYPOINT ["/sbin/tini", "--", "fluxd"]
USER 1000:1000

# weir-console:X, by --target=console.
FROM base AS console
COPY --from=build-console /console /
WORKDIR /
ENTRYPOINT ["/sbin/tini", "--", "weir-console"]
USER 1000:1000

# weir:X-root, by --target=root. Its user is root, as in the image of Flux v1: Deployments that are in use mount the SSH key
# with mode 0400, which nobody but root can read. See docs/decisions/0015-root-only-by-name.md.
FROM generators AS root
COPY --from=build /image /
WORKDIR /home/flux
ENTRYPOINT ["/sbin/tini", "--", "fluxd"]

# weir:X.
FROM generators AS full
COPY --from=build /image /
WORKDIR /home/flux
ENTRYPOINT ["/sbin/tini", "--", "fluxd"]
USER 1000:1000
