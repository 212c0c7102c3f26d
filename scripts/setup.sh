#!/bin/sh
# Installs what package-lock.json names, when that has not been done yet for this very lockfile.
# npm runs this before `npm run demo` and `npm test`, so that a fresh clone needs no other command.
set -eu
cd "$(dirname "$0")/.."
stamp=node_modules/.weir-installed
if [ -f "$stamp" ] && cmp -s "$stamp" package-lock.json && [ -x node_modules/.bin/node ]; then
  exit 0
fi
echo "weir: installing the packages of package-lock.json" >&2
# Not `npm ci`: it refuses a lockfile that does not name the optional packages of every other platform.
npm install --no-save --no-fund --no-audit --loglevel=error >&2
cp package-lock.json "$stamp"
