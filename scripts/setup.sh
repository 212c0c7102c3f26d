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

# Whether a folder holds what this very lockfile names, for this scope.
holds() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.weir-$2"
}

record() {
  cp "$1/package-lock.json" "$1/node_modules/.weir-$2"
}

has_packages() {
  holds . everything || { [ "$scope" = build ] && holds . build; }
}

# Install scripts are left out: no package needs its own. What is cached is not looked up again, for the lockfile says
# exactly what is wanted.
install_packages() {
  set -- --ignore-scripts --prefer-offline --no-audit --no-fund --no-update-notifier --loglevel=error
  if [ "$scope" = build ]; then
    say "installing the packages that a build needs"
    set -- "$@" --omit=dev
  else
    say "installing the packages of package-lock.json"
  fi
  npm ci "$@" >&2
  record . "$scope"
}

has_node() {
  { [ -x "$linked_node" ] && holds "$pinned_node" node; } || ! needs_pinned_node
}

needs_pinned_node() {
  [ "$(node -p 'parseInt(process.versions.node, 10)')" -lt "$oldest_node" ]
}

# Faster than to install the package: one file of its thousands is enough.
fetch_pinned_node() {
  if holds "$pinned_node" node; then
    return
  fi
  read -r package checksum <<PACKAGE
$(node "$pinned_node/of-this-machine.cjs")
PACKAGE
  if [ -z "$package" ]; then
    say "needs Node $oldest_node or newer, and has none for this machine: install it and try again"
    exit 1
  fi
  say "downloading $package (50 MB), because this machine has Node $(node --version)"
  rm -rf "$pinned_node/node_modules"
  mkdir "$pinned_node/node_modules"
  fetched=$(npm pack "$package" --json --pack-destination="$pinned_node/node_modules" --prefer-offline \
    --no-progress --no-update-notifier --loglevel=error)
  case $fetched in
    *"\"$checksum\""*) ;;
    *)
      say "$package is not what $pinned_node/package-lock.json says: its checksum differs"
      exit 1
      ;;
  esac
  tar -xzf "$pinned_node"/node_modules/*.tgz -C "$pinned_node/node_modules" package/bin/node
  rm "$pinned_node"/node_modules/*.tgz
  record "$pinned_node" node
  say "downloaded Node"
}

if has_packages && has_node; then
  exit 0
fi
node_job=
if needs_pinned_node; then
  fetch_pinned_node &
  node_job=$!
fi
has_packages || install_packages
if [ -n "$node_job" ]; then
  wait "$node_job"
  # A hard link: whoever moves or copies node_modules takes it along.
  ln -f "$pinned_node/node_modules/package/bin/node" "$linked_node"
fi
