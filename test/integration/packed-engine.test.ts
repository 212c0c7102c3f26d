import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { TempFolder } from "@weir/testing";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

const program = `
import { type DiffInput, diffThreeWay } from "@weir/engine/diff";
import { luaHealthRules, readLuaScripts } from "@weir/engine/lua";
import {
  type ConnectedCluster, connectCluster, createClusterCache, createClusterEngine, createDiscovery, createRestClient,
  type Health, healthOf, KubeConfigError, type KubeObject, loadKubeConfig, silentLogger, type SyncRequest, systemClock,
} from "@weir/engine";

const live: KubeObject = {
  apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data", namespace: "default" }, status: { phase: "Bound" },
};
const health: Health | undefined = healthOf(live);
const input: DiffInput = { target: { ...live, status: {} }, live, schema: undefined };
console.log(diffThreeWay(input).kind, health?.status);

const rules = luaHealthRules(await readLuaScripts());
const cron: KubeObject = { apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "c" }, spec: { suspend: true } };
console.log(healthOf(cron, rules["batch/CronJob"]?.health)?.status);

const jqOfPackage: string = new URL("node_modules/@weir/engine/lib/ignore/jq.js", import.meta.url).href;
const { JqThread } = await import(jqOfPackage);
console.log(JSON.stringify(await new JqThread(systemClock).find(".spec", [{ spec: 1 }], new AbortController().signal)));

async function byHand(): Promise<Pick<ConnectedCluster, "engine" | "cache">> {
  const client = createRestClient({ credentials: await loadKubeConfig({ env: {} }), userAgent: "consumer" });
  const cache = createClusterCache({
    client, discovery: createDiscovery(client), managedLabel: undefined, namespaces: [], clock: systemClock,
    logger: silentLogger, excludes: () => false,
  });
  return { cache, engine: createClusterEngine({ client, cache }) };
}
const request: SyncRequest = { targets: [{ object: live }], isManaged: () => false, revision: "1" };
const refused = await connectCluster({ env: {}, kubeconfig: "/none" }).catch((error: unknown) => error);
console.log(typeof byHand, request.targets.length, refused instanceof KubeConfigError);
`;

it("the engine, packed and installed elsewhere, compiles against whole types and runs", async () => {
  using folder = new TempFolder();
  const types = [`@types/node@${await versionOf("@types/node")}`];
  await run(process.execPath, [join(root, "scripts/pack.ts"), folder.path], { cwd: root });
  const tarballs = globSync("*.tgz", { cwd: folder.path }).map((name) => join(folder.path, name));
  const home = join(folder.path, "home");
  folder.write("home/package.json", '{ "type": "module" }');
  folder.write("home/main.ts", program);
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

  await run("npm", ["install", ...options, ...tarballs, ...types], { cwd: home });
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...strict, "main.ts"], {
    cwd: home,
  });
  const { stdout } = await run(process.execPath, ["main.js"], { cwd: home });

  assert.equal(tarballs.length, 3);
  assert.equal(stdout, 'patch Healthy\nSuspended\n[[["spec"]]]\nfunction 1 true\n');
});

/** Types of packages are looked at too: what they name must be there. */
const strict = [
  "--strict",
  "--skipLibCheck",
  "false",
  "--module",
  "nodenext",
  "--target",
  "es2024",
  "--lib",
  "es2025,esnext.disposable",
  "--types",
  "node",
];

async function versionOf(name: string): Promise<string> {
  const { default: manifest } = (await import(join(root, "node_modules", name, "package.json"), {
    with: { type: "json" },
  })) as { readonly default: { readonly version: string } };
  return manifest.version;
}
