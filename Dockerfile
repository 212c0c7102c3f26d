# The image of fluxd, with fluxctl and the tools that generators use: see docs/image.md.
# name: generated from src/own-image/own-image.ts
# To build it: docker build --tag=docker.io/weirdev/weir:0.1.0 .
# /name
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
# What fluxd and fluxctl need of it, with licenses.
RUN node scripts/build.ts && node scripts/copy-programs.ts /weir/delivered fluxctl fluxd

FROM ${BASE} AS tools
RUN if [ "$(dpkg --print-architecture)" != amd64 ]; then \
    echo "The tools for generators are pinned for amd64 only: build with --platform=linux/amd64" >&2; exit 1; \
  fi
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates wget
WORKDIR /tools
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

FROM ${BASE} AS base
# slim packages: generated from docker/tools.json
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    bash \
    ca-certificates \
    git \
    gnupg \
    openssh-client \
    tini \
  && rm -rf /var/lib/apt/lists/*
# /slim packages
# Where Debian's packages have theirs.
RUN install -D --mode=0644 /usr/local/LICENSE /usr/share/doc/node/copyright
# The base image calls its user 1000 "node".
RUN groupmod --new-name=weir node && usermod --login=weir --home=/home/flux node && rm -r /home/node \
  && install --directory --owner=weir --group=weir /home/flux /home/flux/.kube
# The keys of git hosts that are known from the beginning; of others, see the comments in deploy/flux-deployment.yaml.
COPY --chmod=0644 docker/known_hosts /etc/ssh/ssh_known_hosts
COPY --chmod=0644 docker/ssh_config /etc/ssh/ssh_config
COPY --chmod=0644 docker/kubeconfig /root/.kube/config
COPY --chown=weir:weir --chmod=0644 docker/kubeconfig /home/flux/.kube/config
# Where programs are in Flux's image, for Deployments and scripts that name their paths.
RUN ln -s /usr/bin/tini /sbin/tini \
  && ln -s /opt/weir/fluxd /opt/weir/fluxctl /usr/local/bin/
ENV PATH=/opt/weir:$PATH
WORKDIR /home/flux
ENTRYPOINT ["/sbin/tini", "--", "fluxd"]

# weir:X-slim, by --target=slim.
FROM base AS slim
COPY --from=build /weir/delivered /opt/weir
USER 1000:1000

FROM base AS full
# packages: generated from docker/tools.json
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    gawk \
    gettext-base \
    git-secret \
    socat \
    unzip \
    wget \
  && rm -rf /var/lib/apt/lists/*
# /packages
COPY --from=tools /tools/ /usr/local/bin/
# licenses: generated from docker/tools.json
COPY --chmod=0644 docker/licenses/helm.txt /usr/share/doc/helm/copyright
COPY --chmod=0644 docker/licenses/kubectl.txt /usr/share/doc/kubectl/copyright
COPY --chmod=0644 docker/licenses/kustomize.txt /usr/share/doc/kustomize/copyright
COPY --chmod=0644 docker/licenses/sops.txt /usr/share/doc/sops/copyright
# /licenses
RUN ln -s /usr/bin/envsubst /usr/local/bin/
COPY --from=build /weir/delivered /opt/weir

# weir:X-root, by --target=root. Its user is root, as in the image of Flux v1: Deployments that are in use mount the SSH key
# with mode 0400, which nobody but root can read. See docs/decisions/0015-root-only-by-name.md.
FROM full AS root

# weir:X.
FROM full
USER 1000:1000
