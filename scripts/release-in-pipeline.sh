#!/bin/sh
# `npm run release`, or another script that is named, such as publish-images, where variables say what to release: VERSION,
# and, to sign it, COSIGN_KEY (the private key itself, as pipelines keep secrets in variables) and COSIGN_PASSWORD. For a
# registry, DOCKER_AUTH_CONFIG has the content of Docker's config.json.
set -eu
cd "$(dirname "$0")/.."
script=${1:-release}
secrets=$(mktemp -d)
trap 'rm -rf "$secrets"' EXIT
if [ -n "${DOCKER_AUTH_CONFIG:-}" ]; then
  printf '%s\n' "$DOCKER_AUTH_CONFIG" > "$secrets/config.json"
  # As skopeo looks for it, and as cosign does.
  export REGISTRY_AUTH_FILE="$secrets/config.json" DOCKER_CONFIG="$secrets"
fi
set --
if [ -n "${COSIGN_KEY:-}" ]; then
  printf '%s\n' "$COSIGN_KEY" > "$secrets/cosign.key"
  set -- --key "$secrets/cosign.key"
fi
# The programs that are started needn't know them.
unset COSIGN_KEY DOCKER_AUTH_CONFIG
npm run "$script" -- --version "$VERSION" "$@"
