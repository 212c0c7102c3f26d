/**
 * A small GitOps agent: applies the manifests in a folder or git repository to a cluster, again and again, and deletes
 * what is no longer there. `node agent.ts --help` lists its options.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { KubeConfig } from "@kubernetes/client-node";
import type { ConnectedCluster, KubeObject, SyncResult } from "@weir/engine";
import { connectCluster } from "@weir/engine/client-node";
import { parseAllDocuments } from "yaml";

const run = promisify(execFile);

const { values: options } = parseArgs({
  options: {
    source: { type: "string", default: "." },
    branch: { type: "string", default: "HEAD" },
    owner: { type: "string", default: "agent" },
    interval: { type: "string", default: "60" },
    prune: { type: "boolean", default: false },
    once: { type: "boolean", default: false },
    kubeconfig: { type: "string" },
    context: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const owner = { key: "agent.example.com/owner", value: options.owner };

const help = `node agent.ts [options]
  --source PATH      a folder of manifests, or a git repository (URL, or a path that ends in .git)
  --branch NAME      the branch of the repository
  --owner NAME       the value of the label ${owner.key} on what the agent applies
  --interval SECONDS the time between two syncs
  --prune            delete what has the owner's label and is no longer in the source
  --once             sync once, and end with code 1 if something failed
  --kubeconfig PATH, --context NAME  the cluster; by default as kubectl`;

/** Manifests, and the revision that they're of. */
interface Source {
  readonly revision: string;
  readonly objects: readonly KubeObject[];
}

/** Reads the source; a git repository is fetched into `checkout` first. */
async function readSource(source: string, checkout: string): Promise<Source> {
  if (!/\.git$|^[a-z+]+:\/\//.test(source)) {
    const objects = await readFolder(source);
    return { revision: createHash("sha256").update(JSON.stringify(objects)).digest("hex"), objects };
  }
  const git = (...args: readonly string[]) => run("git", ["-C", checkout, ...args]);
  await git("init", "--quiet");
  await git("fetch", "--quiet", "--depth=1", source, options.branch);
  await git("checkout", "--quiet", "--force", "FETCH_HEAD");
  const { stdout } = await git("rev-parse", "HEAD");
  return { revision: stdout.trim(), objects: await readFolder(checkout) };
}

/** All objects in the YAML and JSON files of a folder. */
async function readFolder(folder: string): Promise<readonly KubeObject[]> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => !name.startsWith(".git") && [".yaml", ".yml", ".json"].includes(extname(name)),
  );
  const texts = await Promise.all(names.sort().map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => (document.toJS() ?? []) as KubeObject | KubeObject[]),
  );
}

/** The object with the owner's label, and a namespace if its kind may need one. */
function owned(object: KubeObject, namespace: string | undefined): KubeObject {
  const { metadata } = object;
  const place = metadata.namespace === undefined && namespace !== undefined ? { namespace } : {};
  const labels = { ...metadata.labels, [owner.key]: owner.value };
  return { ...object, metadata: { ...metadata, ...place, labels } };
}

/** Syncs once, and prints what was done. */
async function sync(cluster: ConnectedCluster, source: Source, signal: AbortSignal): Promise<SyncResult> {
  const objects = await Promise.all(
    source.objects.map(async (object) => {
      const [group = "", version] = object.apiVersion.includes("/")
        ? object.apiVersion.split("/")
        : ["", object.apiVersion];
      const resource = await cluster.cache.resourceOf({ group, kind: object.kind }, version);
      return owned(object, resource?.namespaced === false ? undefined : cluster.namespace);
    }),
  );
  const result = await cluster.engine.sync(
    {
      targets: objects.map((object) => ({ object })),
      isManaged: ({ metadata }) => metadata.labels?.[owner.key] === owner.value,
      revision: source.revision,
      prune: options.prune ? "on" : "off",
    },
    signal,
  );
  print(result);
  return result;
}

function print({ revision, phase, message, resources }: SyncResult): void {
  console.log(`${revision.slice(0, 7)} ${phase}: ${message}`);
  for (const { key, change, error, reason } of resources) {
    if (change !== "unchanged" || error !== undefined) {
      console.log(`  ${key.kind} ${key.namespace}/${key.name} ${error ?? reason ?? change}`);
    }
  }
}

async function main(): Promise<void> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort()).once("SIGTERM", () => stop.abort());
  const checkout = await mkdtemp(join(tmpdir(), "agent-"));
  const kubeConfig = new KubeConfig();
  if (options.kubeconfig === undefined) {
    kubeConfig.loadFromDefault();
  } else {
    kubeConfig.loadFromFile(options.kubeconfig);
  }
  kubeConfig.setCurrentContext(options.context ?? kubeConfig.getCurrentContext());
  await using cluster = connectCluster({ kubeConfig, managedLabel: owner });
  while (!stop.signal.aborted) {
    try {
      const { phase } = await sync(cluster, await readSource(options.source, checkout), stop.signal);
      process.exitCode = phase === "Succeeded" ? 0 : 1;
    } catch (error) {
      process.exitCode = 1;
      console.error(error);
    }
    if (options.once) {
      break;
    }
    await sleep(Number(options.interval) * 1000, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  await rm(checkout, { recursive: true, force: true });
}

if (options.help) {
  console.log(help);
} else {
  await main();
}
