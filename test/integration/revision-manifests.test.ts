import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "@weir/base";
import { parseResourceId, type Resource } from "@weir/flux";
import { RecordedLog, TempFolder } from "@weir/testing";
import { RevisionManifests, type RevisionManifestsOptions } from "../../src/daemon/revision-manifests.ts";
import { SecretValues } from "../../src/manifests/generate/secret-values.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { scopes } from "../support/parsed-manifests.ts";

const { signal } = new AbortController();

/** Leaves a line in a file for each run. */
const counting = (command: string): string =>
  `{version: 1, patchUpdated: {patchFile: patch.yaml, generators: [{command: 'echo >> "$RUNS"; ${command}'}]}}`;

describe("RevisionManifests with generators", () => {
  it("runs them once for all who ask for a revision, and again for who asks for it afresh", async () => {
    using folder = revisionOf({ ".flux.yaml": counting("cat c.txt"), "c.txt": configMap("c") });
    const manifests = manifestsOf(folder);

    const [one, other] = await Promise.all([manifests.at("r1", signal), manifests.at("r1", signal)]);
    assert.deepEqual([[...one.resources.keys()], runs(folder)], [["default:configmap/c"], 1]);
    assert.equal(one, other);

    await manifests.at("r1", signal, { fresh: true });
    await manifests.at("r1", signal);
    assert.equal(runs(folder), 2);
  });

  it("remembers the last two revisions", async () => {
    using folder = revisionOf({ ".flux.yaml": counting("cat c.txt"), "c.txt": configMap("c") });
    const manifests = manifestsOf(folder);

    for (const revision of ["r1", "r2", "r1", "r2", "r3", "r2", "r3"]) {
      await manifests.at(revision, signal);
    }
    assert.equal(runs(folder), 3);

    await manifests.at("r1", signal);
    assert.equal(runs(folder), 4);
  });

  it("does not take a failure for what the revision holds", async () => {
    using folder = revisionOf({ ".flux.yaml": counting("cat c.txt") });
    const manifests = manifestsOf(folder, { quarantine: true });

    const failed = await manifests.at("r1", signal);
    folder.write("files/c.txt", configMap("c"));
    const { resources, complete } = await manifests.at("r1", signal);

    assert.deepEqual([failed.resources.size, failed.complete], [0, false]);
    assert.deepEqual([resources.size, complete], [1, true]);
  });

  it("runs them once in a clone in which several workloads are changed", async () => {
    using folder = revisionOf({
      ".flux.yaml": counting("cat a.txt b.txt"),
      "a.txt": `${deployment("a")}---\n`,
      "b.txt": deployment("b"),
    });
    const manifests = manifestsOf(folder);
    const store = manifests.store(join(folder.path, "files"));
    const lock = { add: { locked: "true" }, remove: null };

    const changed: boolean[] = [];
    for (const id of ["a", "b", "a"].map((name) => parseResourceId(`default:deployment/${name}`))) {
      changed.push(await store.updateWorkloadPolicies(id, lock, signal));
    }

    assert.deepEqual([changed, runs(folder)], [[true, true, false], 1]);
    assert.equal(readFileSync(join(folder.path, "files", "patch.yaml"), "utf8").match(/locked/g)?.length, 2);
  });
});

describe("RevisionManifests of plain files", () => {
  it("tells what it reads of a file, once, before other files are known to be broken", async () => {
    using folder = revisionOf({ "a.yaml": configMap("a"), "b.yaml": "[" });
    const manifests = manifestsOf(folder, { generation: undefined });
    const read: string[] = [];
    const onRead = ({ id }: Resource): void => void read.push(id);

    await assert.rejects(manifests.at("r1", signal, { onRead }), { name: "ManifestError" });
    assert.deepEqual(read, ["default:configmap/a"]);

    folder.write("files/b.yaml", configMap("b"));
    await manifests.at("r2", signal, { onRead });
    await manifests.at("r3", signal, { onRead });
    assert.deepEqual(read.slice(1), ["default:configmap/a", "default:configmap/b"]);
  });
});

function revisionOf(files: Readonly<Record<string, string>>): TempFolder {
  const folder = new TempFolder();
  for (const [name, text] of Object.entries(files)) {
    folder.write(join("files", name), text);
  }
  return folder;
}

/** Every revision has the same files. */
function manifestsOf(folder: TempFolder, options: Partial<RevisionManifestsOptions> = {}): RevisionManifests {
  const environment = { PATH: process.env["PATH"], RUNS: join(folder.path, "runs") };
  return new RevisionManifests({
    repo: {
      export: () =>
        Promise.resolve({
          dir: join(folder.path, "files"),
          revealed: [],
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
      treeEntries: () => Promise.resolve([]),
      exportsVerbatim: () => Promise.resolve(false),
      contents: () => Promise.resolve(new Map()),
    },
    scopes: scopes(),
    paths: [],
    quarantine: false,
    writeBackStyle: "flux",
    generation: {
      settings: { environment, timeout: 60_000, clock: systemClock, secrets: new SecretValues() },
    },
    logger: new RecordedLog(),
    ...options,
  });
}

function runs(folder: TempFolder): number {
  return readFileSync(join(folder.path, "runs"), "utf8").length;
}
