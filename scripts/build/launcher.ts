/**
 * The file that people call: a shell script that starts a bundle with the Node that scripts/setup.sh installs,
 * found beside it whatever the folder and through whatever links it is called, or else with the one on PATH.
 * `nodeOptions` are flags of Node, without blanks in them.
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
    echo "${program}: needs Node 24 or newer: none is beside it, and none is on PATH" >&2
    exit 1
  }
fi
exec "$node" ${[...nodeOptions, `"$here/lib/start-${program}.cjs"`].join(" ")} "$@"
`;
}

/**
 * What Node runs first: refuses a Node that is too old in words that such a Node can say, keeps compiled code
 * for the next start where it may, and loads the bundle.
 */
export function starter(program: string, oldestNode: number): string {
  return `"use strict";
if (parseInt(process.versions.node, 10) < ${oldestNode}) {
  console.error("${program}: needs Node ${oldestNode} or newer, and this is Node " + process.versions.node);
  process.exit(1);
}
require("node:module").enableCompileCache(__dirname + "/.compile-cache");
require("./${program}.cjs");
`;
}
