#!/bin/sh
# Installs what package-lock.json names, unless that is done already: everything, or with the argument "build" only what
# a build and the demo need. A machine whose own Node is too old gets one beside it. npm runs this before
# `npm run demo`, `npm test` and others, so that a fresh clone needs no other command.
set -eu
cd "$(dirname "$0")/.."
scope=${1:-everything}
oldest_node=24
pinned_node=scripts/pinned-node
linked_node=node_modules/.bin/node

# The machine's own programs: npm must not run on a Node that it is about to replace.
PATH=$(printf '%s' "$PATH" | tr : '\n' | grep -v 'node_modules/\.bin/*$' | paste -s -d : -)

say() {
  echo "weir: $*" >&2
}

# Whether a folder holds the packages of this very lockfile, for this scope.
holds() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.weir-$2"
}

# Install scripts are left out: no package needs its own.
install() {
  folder=$1
  installed=$2
  shift 2
  npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error "$@" >&2
  cp "$folder/package-lock.json" "$folder/node_modules/.weir-$installed"
}

needs_pinned_node() {
  [ "$(node -p 'parseInt(process.versions.node, 10)')" -lt "$oldest_node" ]
}

install_pinned_node() {
  if ! holds "$pinned_node" everything; then
    say "downloading Node $oldest_node, because this machine has $(node --version)"
    install "$pinned_node" everything --no-progress
  fi
}

install_packages() {
  if [ "$scope" = build ]; then
    say "installing the packages that a build needs"
    install . build --omit=dev
  else
    say "installing the packages of package-lock.json"
    install . everything
  fi
}

has_packages() {
  holds . everything || { [ "$scope" = build ] && holds . build; }
}

has_node() {
  { [ -x "$linked_node" ] && holds "$pinned_node" everything; } || ! needs_pinned_node
}

if has_packages && has_node; then
  exit 0
fi
node_job=
if needs_pinned_node; then
  install_pinned_node &
  node_job=$!
fi
has_packages || install_packages
if [ -n "$node_job" ]; then
  wait "$node_job"
  set -- "$pinned_node"/node_modules/node-*/bin/node
  if [ ! -x "$1" ]; then
    say "needs Node $oldest_node or newer, and there is no package of it for this machine: install it and try again"
    exit 1
  fi
  # A hard link: whoever moves or copies node_modules takes it along.
  ln -f "$1" "$linked_node"
fi
