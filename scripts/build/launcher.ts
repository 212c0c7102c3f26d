/**
 * The file that people run: a shell script that starts a bundle with the Node.js that scripts/setup.sh
 * installs next to it, whatever folder or link it's called through, or else with the one on PATH.
 * `nodeOptions` are flags for Node.js, without spaces in them.
 */
export function launcher(program: string, nodeOptions: readonly string[]): string {
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
    echo "${program}: requires Node.js 24 or later, but none is installed next to it or on PATH" >&2
    exit 1
  }
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
