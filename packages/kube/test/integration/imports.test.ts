import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../../../..");

/** Imports a module and prints the packages that came with it. */
const script = `
import { registerHooks } from "node:module";
const packages = new Set();
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(resolved.url) ?? [];
    if (name !== undefined) packages.add(name);
    return resolved;
  },
});
await import(process.argv[1]);
console.log(JSON.stringify([...packages]));
`;

async function packagesOf(module: string): Promise<unknown> {
  const args = ["--input-type=module", "-e", script, join(root, module)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return JSON.parse(stdout);
}

/** The whole of @kubernetes/client-node costs 85 MB and half a second; a command line has to start at once. */
describe("what is imported with", () => {
  for (const module of ["kube-config-source", "kube-config"]) {
    it(`${module}.ts: a YAML parser`, async () => {
      assert.deepEqual(await packagesOf(`packages/kube/src/client/${module}.ts`), ["js-yaml"]);
    });
  }

  for (const module of ["client/rest-client", "client/port-forward", "rest/index"]) {
    it(`${module}.ts: no package at all`, async () => {
      assert.deepEqual(await packagesOf(`packages/kube/src/${module}.ts`), []);
    });
  }
});
