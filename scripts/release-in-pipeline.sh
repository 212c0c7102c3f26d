#!/bin/sh
# `npm run release` where variables say what to release: VERSION, and, to sign it, COSIGN_KEY (the private key itself, as
# pipelines keep secrets in variables) and COSIGN_PASSWORD.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${COSIGN_KEY:-}" ]; then
  exec npm run release -- --version "$VERSION"
fi
key=$(mktemp)
trap 'rm -f "$key"' EXIT
printf '%s\n' "$COSIGN_KEY" > "$key"
# The programs that a release starts needn't know it.
unset COSIGN_KEY
npm run release -- --version "$VERSION" --key "$key"
