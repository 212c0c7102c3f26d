/**
 * Measures loading manifests: 10,000 objects in 1,000 files, in a new process; then again without changes,
 * and with one changed file. For reference, js-yaml, which only parses the same files. `node dev/bench/load.ts`
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@weir/base";
import { encodeYaml } from "@weir/yaml/go-yaml";
import { loadAll } from "js-yaml";
import { folderFiles } from "../../src/manifests/files/folder-files.ts";
import { toKubeObject } from "../../src/manifests/kube-object.ts";
import { loadManifests } from "../../src/manifests/load.ts";
import type { ScopePort } from "../../src/manifests/scope.ts";
import { makeObjects } from "./support/objects.ts";
import { note, printTable, row } from "./support/table.ts";

const files = 1_000;
const objects = 10_000;

/** The measurements of one process; durations in seconds, memory in MiB. */
interface Measured {
  readonly cold: number;
  readonly unchanged: number;
  readonly oneFile: number;
  readonly objects: number;
  readonly memory: number;
}

const scopes: ScopePort = {
  defaultNamespace: "default",
  scopeOf: ({ kind }) => Promise.resolve(kind === "Namespace" ? "cluster" : "namespaced"),
};

const [task, folder = ""] = process.argv.slice(2);
if (task === "measure") {
  console.log(JSON.stringify(await measure(folder)));
} else if (task === "parse") {
  console.log(JSON.stringify(parseWithJsYaml(folder)));
} else {
  report();
}

function report(): void {
  const dir = mkdtempSync(join(tmpdir(), "weir-bench-load-"));
  try {
    writeRepository(dir);
    const measured = inFreshProcess("measure", dir) as Measured;
    const rows = [
      note("js-yaml parses the files", inFreshProcess("parse", dir) as number, "s"),
      row("first load", { measured: measured.cold, limit: 1.5, unit: "s" }),
      note("objects for the cluster", measured.objects, "s"),
      row("load without changes", { measured: measured.unchanged, limit: 0.5, unit: "s" }),
      row("load with one changed file", { measured: measured.oneFile, limit: 0.5, unit: "s" }),
      row("memory of the process", { measured: measured.memory, limit: 250, unit: "MiB" }),
    ];
    console.log(printTable(`${objects} objects in ${files} files`, rows));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function inFreshProcess(what: string, dir: string): unknown {
  const output = execFileSync(process.execPath, [import.meta.filename, what, dir], { encoding: "utf8" });
  return JSON.parse(output);
}

function writeRepository(dir: string): void {
  const perFile = Math.ceil(objects / files);
  const texts = makeObjects(objects).map((object) => encodeYaml(object as JsonObject));
  for (let file = 0; file < files; file++) {
    const path = join(dir, `team-${file % 20}`);
    mkdirSync(path, { recursive: true });
    const documents = texts.slice(file * perFile, (file + 1) * perFile);
    writeFileSync(join(path, `app-${file}.yaml`), documents.map((text) => `---\n${text}`).join(""));
  }
}

async function measure(root: string): Promise<Measured> {
  const options = { files: folderFiles(root), paths: [], scopes, signal: new AbortController().signal };
  const [cold, first] = await timed(() => loadManifests(options));
  const [made] = await timed(() => Promise.resolve([...first.resources.values()].map(toKubeObject)));
  const [unchanged, second] = await timed(() => loadManifests({ ...options, cache: first.cache }));
  const file = join(root, "team-0", "app-0.yaml");
  writeFileSync(file, `# changed\n${readFileSync(file, "utf8")}`);
  const [oneFile] = await timed(() => loadManifests({ ...options, cache: second.cache }));
  return { cold, unchanged, oneFile, objects: made, memory: process.memoryUsage.rss() / 2 ** 20 };
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [seconds: number, result: T]> {
  const start = performance.now();
  const result = await work();
  return [(performance.now() - start) / 1000, result];
}

function parseWithJsYaml(root: string): number {
  const start = performance.now();
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (path.endsWith(".yaml")) {
      loadAll(readFileSync(join(root, path), "utf8"));
    }
  }
  return (performance.now() - start) / 1000;
}
