import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConfigPlace } from "../../../../src/manifests/generate/find-config.ts";
import { GeneratedCache, generationKey } from "../../../../src/manifests/generate/generated-cache.ts";
import { configMap } from "../../../support/manifests.ts";
import { parsedFile } from "../../../support/parsed-manifests.ts";

const commit = [
  { path: "app/base.yaml", mode: "100644", id: "a1" },
  { path: "app/make.sh", mode: "100755", id: "b2" },
  { path: "apple/other.yaml", mode: "100644", id: "c3" },
];

describe("GeneratedCache", () => {
  it("runs a generator once for a key, also in the next load, but not when a load did without", async () => {
    const cache = new GeneratedCache();
    let runs = 0;
    const load = async (...keys: readonly string[]): Promise<void> => {
      cache.begin();
      for (const key of keys) {
        await cache.get(key, () => {
          runs += 1;
          return Promise.resolve(parsedFile(configMap("made")));
        });
      }
    };

    await load("a", "b");
    await load("a");
    assert.equal(runs, 2);

    await load("a", "b");
    assert.equal(runs, 3);
  });

  it("does not keep what cannot be read", async () => {
    const cache = new GeneratedCache();
    cache.begin();

    await cache.get("a", () => Promise.resolve(parsedFile("kind: [")));
    const { manifests } = await cache.get("a", () => Promise.resolve(parsedFile(configMap("made"))));

    assert.equal(manifests.length, 1);
  });

  it("does not keep what failed", async () => {
    const cache = new GeneratedCache();
    cache.begin();

    await assert.rejects(cache.get("a", () => Promise.reject(new Error("no"))));
    const { manifests } = await cache.get("a", () => Promise.resolve(parsedFile(configMap("made"))));

    assert.equal(manifests.length, 1);
  });
});

describe("generationKey", () => {
  const key = generationKey(place(), commit);

  it("changes with a command, its time limit and the .flux.yaml", () => {
    const others = [
      place({
        config: { kind: "command", generators: [{ command: "b", timeout: undefined }], updaters: [] },
      }),
      place({ config: { kind: "command", generators: [{ command: "a", timeout: 5000 }], updaters: [] } }),
      place({ source: "app/../.flux.yaml" }),
    ];

    assert.equal(new Set([key, ...others.map((other) => generationKey(other, commit))]).size, 4);
  });

  it("changes with a file below the git path: its content, its mode, its name", () => {
    const [base, make] = commit;
    assert.ok(base && make);
    const others = [
      [{ ...base, id: "a2" }, make],
      [base, { ...make, mode: "100644" }],
      [{ ...base, path: "app/bases.yaml" }, make],
      [base],
    ];

    assert.equal(new Set([key, ...others.map((files) => generationKey(place(), files))]).size, 5);
  });

  it("is the same whatever happens elsewhere, unless the git path is the root", () => {
    const elsewhere = [...commit.slice(0, 2), { path: "apple/other.yaml", mode: "100644", id: "c4" }];
    const root = place({ gitPath: "." });

    assert.equal(generationKey(place(), elsewhere), key);
    assert.notEqual(generationKey(root, elsewhere), generationKey(root, commit));
  });
});

function place(other: Partial<ConfigPlace> = {}): ConfigPlace {
  return {
    config: { kind: "command", generators: [{ command: "a", timeout: undefined }], updaters: [] },
    root: "/repo",
    configPath: "/repo/app/.flux.yaml",
    workingDir: "/repo/app",
    gitPath: "app",
    file: ".flux.yaml",
    source: "app/.flux.yaml",
    ...other,
  };
}
