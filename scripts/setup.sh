#!/bin/sh
# Installs the packages in package-lock.json, unless that's already done: all of them, with the argument "build" only those
# that a build needs, or with "demo" only those of fluxd, fluxctl, and the demo, without the console's. If the installed Node.js is too old, downloads a newer one into node_modules. npm
# runs this before `npm run demo`, `npm test`, and others, so that a fresh clone needs no other command.
set -eu
cd "$(dirname "$0")/.."
scope=${1:-everything}
oldest_node=24
pinned_node=scripts/pinned-node
linked_node=node_modules/.bin/node

# Use the installed programs: npm must not run on a Node.js that it's about to replace.
PATH=$(printf '%s' "$PATH" | tr : '\n' | grep -v 'node_modules/\.bin/*$' | paste -s -d : -)

say() {
  echo "weir: $*" >&2
}

# Whether a folder contains the packages of the current lockfile, for this scope.
holds() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.weir-$2"
}

record() {
  cp "$1/package-lock.json" "$1/node_modules/.weir-$2"
}

has_packages() {
  holds . everything || { [ "$scope" != everything ] && holds . build; } || { [ "$scope" = demo ] && holds . demo; }
}

# Skips install scripts, because no package needs its own. Prefers cached packages, because the lockfile specifies exact
# versions.
install_packages() {
  set -- --ignore-scripts --prefer-offline --no-audit --no-fund --no-update-notifier --loglevel=error
  case $scope in
    demo)
      say "installing the packages that the demo needs"
      set -- "$@" --omit=dev --workspace=packages --include-workspace-root
      ;;
    build)
      say "installing the packages that a build needs"
      set -- "$@" --omit=dev
      ;;
    *) say "installing the packages of package-lock.json" ;;
  esac
  npm ci "$@" >&2
  record . "$scope"
}

has_node() {
  { [ -x "$linked_node" ] && holds "$pinned_node" node; } || ! needs_pinned_node
}

needs_pinned_node() {
  [ "$(node -p 'parseInt(process.versions.node, 10)')" -lt "$oldest_node" ]
}

# Faster than installing the package: one of its thousands of files is enough.
fetch_pinned_node() {
  if holds "$pinned_node" node; then
    return
  fi
  read -r package checksum <<PACKAGE
$(node "$pinned_node/of-this-machine.cjs")
PACKAGE
  if [ -z "$package" ]; then
    say "no Node.js is available for this machine: install Node.js $oldest_node or later and try again"
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
      say "the checksum of $package differs from $pinned_node/package-lock.json"
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
  # A hard link, so that it's included when node_modules is moved or copied.
  ln -f "$pinned_node/node_modules/package/bin/node" "$linked_node"
fi
