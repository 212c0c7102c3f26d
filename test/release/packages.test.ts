import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startEmbeddedCluster } from "@weir/embedded-cluster";
import { StartedProgram, TempFolder } from "@weir/testing";
import { npmPack } from "../../dev/release/npm-pack.ts";
import { packagesStep } from "../../dev/release/packages/step.ts";
import type { Bom, Component } from "../../dev/release/supply/boms.ts";
import { sbomStep } from "../../dev/release/supply/step.ts";
import { root, run, TestRelease, version } from "./support.ts";

const release = new TestRelease();
const home = new TempFolder();
const installed = join(home.path, "node_modules");

/** Programs find this Node.js, and nothing of the repository. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };

/** More of the engine than its README shows: what reads files of its own, and what starts threads. */
const program = `
import { type DiffInput, diffThreeWay } from "@weir/engine/diff";
import { luaHealthRules, readLuaScripts } from "@weir/engine/lua";
import type { KubeConfig } from "@kubernetes/client-node";
import { connectCluster as connectKubeConfig, credentialsOf } from "@weir/engine/client-node";
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

const jqOfPackage: string = new URL("node_modules/@weir/engine/lib/engine/ignore/jq.js", import.meta.url).href;
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
async function fromKubeConfig(kubeConfig: KubeConfig): Promise<string> {
  await using cluster = connectKubeConfig({ kubeConfig });
  return credentialsOf(kubeConfig).server + cluster.namespace;
}
console.log(typeof fromKubeConfig, typeof byHand, request.targets.length, refused instanceof KubeConfigError);
`;

describe("the npm packages", () => {
  let tarballs: readonly string[] = [];

  before(async () => {
    tarballs = await packagesStep(release.context);
    const names = ["@kubernetes/client-node", "@types/node", "typescript", "yaml"];
    const others = names.map((name) => `${name}@${versionOf(name)}`);
    home.write("package.json", '{ "type": "module" }');
    const options = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
    await run("npm", ["install", ...options, ...tarballs, ...others], { cwd: home.path, env });
    home.write("program.ts", program);
    for (const name of ["embedded-cluster", "engine", "upstream-server"]) {
      const readme = readFileSync(join(installed, "@weir", name, "README.md"), "utf8");
      home.write(`${name}.ts`, /```ts\n(.*?)```/s.exec(readme)?.[1] ?? assert.fail(`${name} has no example`));
      const example = join(installed, "@weir", name, "example");
      if (existsSync(example)) {
        cpSync(example, join(home.path, `${name}-example`), { recursive: true });
      }
    }
  });

  after(() => {
    release[Symbol.dispose]();
    home[Symbol.dispose]();
  });

  it("contain what they should, and nothing else", async () => {
    const contents = await Promise.all(tarballs.map(async (file) => [basename(file), await shapeOf(file)]));

    assert.deepEqual(Object.fromEntries(contents), {
      [`weir-${version}.tgz`]: [
        ...["LICENSE", "NOTICE", "README.md", "THIRD-PARTY-NOTICES.txt", "fluxctl", "fluxd"],
        ...["lib/*.br", "lib/*.cjs", "lib/*.mjs", "lib/*.txt"],
        ...[
          "lib/demo-repository/*.yaml",
          "lib/demo-repository/observe/*.yaml",
          "lib/demo-repository/shop/*.yaml",
        ],
        ...["man/man1/*.1", "man/man8/*.8", "package.json", "weir"],
      ],
      [`weir-embedded-cluster-${version}.tgz`]: [
        ...["LICENSE", "NOTICE", "README.md", ...code("base")],
        ...["lib/embedded-cluster/**/*.br", ...code("embedded-cluster/**")],
        ...["lib/kube/*.js", "lib/kube/patch/*.js", "package.json"],
      ],
      [`weir-engine-${version}.tgz`]: [
        ...["LICENSE", "NOTICE", "README.md", "example/*.json", "example/*.md", "example/*.ts"],
        ...code("base", "engine", "engine/cache", "engine/connect", "engine/diff", "engine/drift"),
        ...code("engine/dry-run", "engine/fleet", "engine/health", "engine/ignore"),
        ...[...code("engine/lua", "engine/lua/vm"), "lib/engine/lua/vm/library/*.js"],
        ...code("engine/operations", "engine/plan", "engine/run", "engine/sync"),
        ...["lib/health-scripts/*/*/*.lua", "lib/health-scripts/*/*/*.yaml"],
        ...code("kube", "kube/client", "kube/patch", "kube/rest"),
        "package.json",
      ],
      [`weir-upstream-server-${version}.tgz`]: [
        ...["LICENSE", "NOTICE", "README.md", "example/*.json", "example/*.md", "example/*.ts"],
        ...code("base", "flux", "flux/api", "flux/client", "flux/cluster", "flux/errors", "flux/event"),
        ...["lib/flux/git/*.d.ts", ...code("flux/image", "flux/resource"), "lib/flux/serving/*.js"],
        ...code("flux/update", "flux/websocket", "upstream-server"),
        "package.json",
      ],
    });
  });

  it("have no files of the console", () => {
    const names = readdirSync(join(installed, "weir", "lib"));

    assert.ok(names.includes("weir.cjs"));
    assert.deepEqual(
      names.filter((name) => /console|pglite|initdb/.test(name)),
      [],
    );
  });

  it("have manual pages where npm install --global puts them", async () => {
    using prefix = new TempFolder();
    const options = ["--global", `--prefix=${prefix.path}`, "--no-audit", "--no-fund", "--loglevel=error"];

    await run("npm", ["install", ...options, tarballs[0] ?? ""], { cwd: home.path, env });

    const pages = ["man1/fluxctl.1", "man1/fluxctl-sync.1", "man8/fluxd.8"];
    for (const page of pages) {
      assert.match(readFileSync(join(prefix.path, "share", "man", page), "utf8"), /^\.TH /m, page);
    }
  });

  it("have the same bytes whenever and by whomever they are packed", async () => {
    const staged = join(release.context.work, "packages", "@weir", "upstream-server");
    utimesSync(join(staged, "README.md"), 1, 1);
    using again = new TempFolder();

    const packed = await npmPack(staged, again.path, release.context.signal);

    const former = readFileSync(join(release.context.out, "packages", packed));
    assert.ok(readFileSync(join(again.path, packed)).equals(former));
  });

  it("have SBOMs that list what is inside, and what installs with them", async () => {
    const made = await sbomStep(release.context);

    const listed = made.map((file) => [basename(file, ".cdx.json"), packagesIn(file)] as const);
    const { "npm-weir": programs, ...libraries } = Object.fromEntries(listed);
    const others = ["npm-weir-engine", "npm-weir-upstream-server"];
    assert.deepEqual(Object.keys(libraries), ["npm-weir-embedded-cluster", ...others]);
    assert.deepEqual(libraries["npm-weir-embedded-cluster"], ["re2js", "yaml"]);
    assert.deepEqual(libraries["npm-weir-upstream-server"], ["js-yaml", "re2js", "ws"]);
    assert.deepEqual(
      ["jq-wasm", "ws", "re2js", "react"].map((name) => libraries["npm-weir-engine"]?.includes(name)),
      [true, true, false, false],
    );
    assert.deepEqual(
      ["openpgp", "undici", "react", "esbuild", "jq-wasm"].map((name) => programs?.includes(name)),
      [true, true, true, false, false],
    );
    assert.deepEqual(
      ["pglite", "pg", "kysely", "zod", "mustache", "nodemailer"].filter((name) => programs?.includes(name)),
      [],
    );
    const notices = readFileSync(join(installed, "weir", "THIRD-PARTY-NOTICES.txt"), "utf8");
    const named = [...notices.matchAll(/^-{80}\n\n(\S+) (\S+) \(/gm)].map(([, name, of]) => `${name}@${of}`);
    assert.deepEqual(named.toSorted(), purlsOfOthersIn(made[0] ?? "").toSorted());
  });

  it("have whole types, with which what the READMEs show and the examples compile", async () => {
    const files = ["program.ts", "embedded-cluster.ts", "engine.ts", "engine-example/agent.ts"];
    const more = ["upstream-server.ts", "upstream-server-example/console.ts"];

    await run(process.execPath, ["node_modules/typescript/bin/tsc", ...strict, ...files, ...more], {
      cwd: home.path,
    }).catch((error: unknown) => assert.fail((error as { readonly stdout: string }).stdout));
  });

  it("bring an engine that reads its files and starts its threads", async () => {
    const { stdout } = await run(process.execPath, ["program.ts"], { cwd: home.path });

    assert.equal(stdout, 'patch Healthy\nSuspended\n[[["spec"]]]\nfunction function 1 true\n');
  });

  it("bring an engine whose example syncs a cluster", async () => {
    await using cluster = await startEmbeddedCluster();
    const kubeconfig = home.write("kubeconfig", cluster.kubeconfig);

    const { stdout } = await run(process.execPath, ["engine.ts"], {
      cwd: home.path,
      env: { ...env, KUBECONFIG: kubeconfig },
    });

    assert.equal(stdout, "[ 'ConfigMap a created' ]\n");
  });

  it("bring a cluster for the tests of others", async () => {
    const { stdout } = await run(process.execPath, ["embedded-cluster.ts"], { cwd: home.path, env });

    assert.equal(stdout, "[ 'default', 'kube-node-lease', 'kube-public', 'kube-system' ]\n");
  });

  it("bring a console to which the installed fluxd connects", async () => {
    const repository = home.write("config/web.yaml", deployment);
    const folder = dirname(repository);
    const git = (...args: readonly string[]) => run("git", ["-C", folder, ...args]);
    await git("init", "--quiet", "--initial-branch=main");
    await git("add", ".");
    await git("-c", "user.name=me", "-c", "user.email=me@example.test", "commit", "--quiet", "-m", "Begin");
    await git("config", "receive.denyCurrentBranch", "ignore");
    await using console = started(process.execPath, "upstream-server-example/console.ts", "--port=0");
    const port = await console.until(
      "the console",
      () => /listening on port (\d+)/.exec(console.output)?.[1],
    );

    await using fluxd = started(
      join(installed, ".bin", "fluxd"),
      ...["--embedded-cluster", `--git-url=file://${folder}`, "--git-branch=main", "--listen=127.0.0.1:0"],
      ...[`--connect=ws://127.0.0.1:${port}/api/flux`, "--token=t0ken"],
    );

    await fluxd.until(
      "fluxd to tell the console",
      () => /connected, version 11; fluxd/.test(console.output) && /^sync: /m.test(console.output),
    );
  });

  it("run the demo in an empty folder", async () => {
    const { stdout } = await run("npx", ["--no-install", "weir", "demo", "--once"], { cwd: home.path, env });

    assert.match(stdout, /= committed, applied, and rolled out/);
  });

  it("bring programs that know their version, and what they are", async () => {
    const ask = async (name: string, ...args: readonly string[]): Promise<string> =>
      (await run(join(installed, ".bin", name), args, { cwd: home.path, env })).stdout.trim();

    assert.equal(await ask("weir", "--version"), version);
    assert.equal(await ask("fluxctl", "version"), version);
    assert.match(await ask("weir", "--help"), /^Usage:\n {2}weir demo /);
    await assert.rejects(ask("weir", "frobnicate"), /weir has no command "frobnicate"/);
  });

  function started(command: string, ...args: readonly string[]): StartedProgram {
    const surroundings = { ...env, CONSOLE_TOKEN: "t0ken", HOME: home.path };
    return new StartedProgram(command, args, { cwd: home.path, env: surroundings });
  }
});

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "example.test/web:1" }] }
`;

/** The names of the packages in an SBOM that are required. */
function packagesIn(file: string): readonly string[] {
  return componentsIn(file).map(({ name }) => name);
}

/** E.g. "@noble/ciphers@2.4.0", without packages of ours. */
function purlsOfOthersIn(file: string): readonly string[] {
  return componentsIn(file)
    .map(({ purl = "" }) => decodeURIComponent(/^pkg:npm\/([^?#]+)/.exec(purl)?.[1] ?? purl))
    .filter((purl) => !purl.startsWith("@weir/"));
}

function componentsIn(file: string): readonly Component[] {
  const { components = [] } = JSON.parse(readFileSync(file, "utf8")) as Bom;
  return components.filter(({ scope }) => scope !== "excluded");
}

/** Types of packages are looked at too: what they name must be there. */
const strict = [
  ...["--noEmit", "--strict", "--skipLibCheck", "false", "--module", "nodenext", "--target", "es2024"],
  ...["--lib", "es2025,esnext.disposable", "--types", "node"],
];

/** The paths in a tarball, with one pattern for the files of a folder that end alike. */
async function shapeOf(tarball: string): Promise<readonly string[]> {
  const { stdout } = await run("tar", ["-tzf", tarball]);
  const paths = stdout
    .trim()
    .split("\n")
    .map((path) => path.replace("package/", ""));
  const patterns = paths.map((path) =>
    path
      .replace(/^(example|lib|man)(\/.*)?\/[^/]+?((\.d)?\.\w+)$/, "$1$2/*$3")
      .replace(/^lib\/embedded-cluster\/(.*\/)?/, "lib/embedded-cluster/**/")
      .replace(/health-scripts\/[^/]+\/[^/]+/, "health-scripts/*/*"),
  );
  return [...new Set(patterns)].toSorted();
}

/** Compiled code in folders of `lib`, with types. */
function code(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => [`lib/${folder}/*.d.ts`, `lib/${folder}/*.js`]);
}

function versionOf(name: string): string {
  const manifest = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}
