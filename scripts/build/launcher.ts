/**
 * The file that people run: a shell script that starts a bundle with the Node.js that scripts/setup.sh
 * installs next to it, whatever folder or link it's called through, or else with the one on PATH.
 * `nodeOptions` are flags for Node.js, without spaces in them. An older Node.js may not know them and wouldn't get as
 * far as the starter, so its version is looked at before; not that of the one next to it, because that takes time.
 */
export function launcher(program: string, oldestNode: number, nodeOptions: readonly string[]): string {
  return `#!/bin/sh
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=\${self%/*}/$link ;;
  esac
done
case $self in
  */*) here=\${self%/*} ;;
  *) here=. ;;
esac
node=$here/../node_modules/.bin/node
if [ ! -x "$node" ]; then
  node=$(command -v node) || {
    echo "${program}: requires Node.js ${oldestNode} or later, but none is installed next to it or on PATH" >&2
    exit 1
  }
  version=$("$node" --version)
  version=\${version#v}
  if [ "\${version%%.*}" -lt ${oldestNode} ] 2>/dev/null; then
    echo "${program}: requires Node.js ${oldestNode} or later, but $node is $version" >&2
    exit 1
  fi
fi
exec "$node" ${[...nodeOptions, `"$here/lib/start-${program}.cjs"`].join(" ")} "$@"
`;
}

/**
 * The script that Node.js runs first: rejects a version that is too old, in syntax that it understands,
 * caches compiled code for the next start if possible, and loads the bundle.
 */
export function starter(program: string, oldestNode: number): string {
  return `"use strict";
if (parseInt(process.versions.node, 10) < ${oldestNode}) {
  console.error("${program}: requires Node.js ${oldestNode} or later, but this is Node.js " + process.versions.node);
  process.exit(1);
}
require("node:module").enableCompileCache(__dirname + "/.compile-cache");
require("./${program}.cjs");
`;
}
