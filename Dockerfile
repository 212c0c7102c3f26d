# The image of fluxd, with fluxctl beside it: docker build -t docker.io/weirdev/weir:0.1.0 .
# To build on one certain base, pin it: --build-arg BASE=node:24-bookworm-slim@sha256:…
ARG BASE=node:24-bookworm-slim
FROM ${BASE} AS build
WORKDIR /weir
COPY package.json package-lock.json .npmrc ./
# Workspaces: npm links them, and installs what they depend on.
COPY packages packages
COPY scripts/setup.sh scripts/setup.sh
RUN sh scripts/setup.sh build
COPY . .
RUN node scripts/build.ts

FROM ${BASE}
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git gnupg openssh-client tini \
  && rm -rf /var/lib/apt/lists/*
# The keys of git hosts that are known from the beginning; of others, see the comments in deploy/flux-deployment.yaml.
COPY docker/known_hosts /etc/ssh/ssh_known_hosts
COPY docker/ssh_config /etc/ssh/ssh_config
COPY --from=build /weir/dist /opt/weir
ENV PATH=/opt/weir:$PATH
# Root, as in the image of Flux v1: Deployments that are in use mount the SSH key with mode 0400, which nobody but root
# can read. With `fluxctl install --pod-security=restricted` it is the user 1000 of this image, and the key its group's.
ENTRYPOINT ["/usr/bin/tini", "--", "fluxd"]
