import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printImageName, type RegistryCredentials } from "@weir/flux";
import { FakeClock, RecordedLog } from "@weir/testing";
import type { CacheItem, CacheStore } from "../../../../src/registry/cache/store.ts";
import type { RegistryClients } from "../../../../src/registry/client.ts";
import { RegistryError } from "../../../../src/registry/errors.ts";
import { Warmer } from "../../../../src/registry/warm/warmer.ts";

const minute = 60_000;

/** Registries and a cache in memory, and a warmer that goes over them. */
class Rig implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly log = new RecordedLog();
  readonly images = new Map<string, RegistryCredentials>();
  /** The repositories whose tags were asked for, in order. */
  readonly asked: string[] = [];
  /** What answers wait for. */
  gate: Promise<void> = Promise.resolve();
  tags: readonly string[] = ["1"];
  /** True if the registries refuse all requests. */
  isRefused = false;
  news = 0;
  rounds = 0;
  /** The results of scans, and the last counts of repositories. */
  readonly scans: boolean[] = [];
  counts = "";
  readonly warmer: Warmer;
  readonly #passes = new Set<() => void>();

  constructor(...names: readonly string[]) {
    names.forEach((name) => this.images.set(name, new Map()));
    this.warmer = new Warmer({
      images: {
        imageCredentials: () => {
          this.rounds += 1;
          return Promise.resolve(new Map(this.images));
        },
      },
      clients: this.#clients(),
      store: memoryStore(),
      burst: 1,
      trace: false,
      clock: this.clock,
      logger: this.log,
      onNewImages: () => (this.news += 1),
      metrics: {
        countScan: (success) => this.scans.push(success),
        setRepositories: ({ scanned, failed, waiting }) => {
          this.counts = `${scanned} scanned, ${failed} failed, ${waiting} waiting`;
        },
      },
    });
    this.warmer.start();
  }

  /** Resolves as soon as so many repositories were begun with: their answers may wait. */
  async begun(count: number): Promise<void> {
    while (this.asked.length < count) {
      await new Promise<void>((resolve) => this.#passes.add(resolve));
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.warmer.stop();
  }

  #clients(): RegistryClients {
    return {
      succeed: () => undefined,
      clientFor: (repository) => ({
        tags: async (signal) => {
          this.asked.push(printImageName(repository));
          this.#passes.forEach((resolve) => resolve());
          await this.gate;
          signal.throwIfAborted();
          if (this.isRefused) {
            throw new RegistryError({
              image: repository.image,
              failure: "refused",
              why: "no such repository",
            });
          }
          return this.tags;
        },
        image: (tag) =>
          Promise.resolve({
            entry: {
              kind: "image",
              info: { ref: { ...repository, tag, sha: "" }, digest: "d", imageId: "i", labels: {} },
            },
            badLabels: [],
          }),
        digest: () => Promise.reject(new RegistryError({ image: "", failure: "refused", why: "not asked" })),
      }),
    };
  }
}

function memoryStore(): CacheStore {
  const items = new Map<string, CacheItem>();
  return {
    get: (key) => Promise.resolve(items.get(key)),
    set: (key, item) => Promise.resolve(void items.set(key, item)),
    close: () => Promise.resolve(),
  };
}

describe("the warmer", () => {
  it("goes over all images at the start, and then once a minute", async () => {
    await using rig = new Rig("a.example.com/x", "a.example.com/y");

    await rig.warmer.idle();
    assert.equal(rig.news, 2);
    await rig.clock.advance(minute - 1);
    await rig.warmer.idle();
    assert.equal(rig.asked.length, 2);
    await rig.clock.advance(1);
    await rig.warmer.idle();
    assert.deepEqual(rig.asked.toSorted(), [
      "a.example.com/x",
      "a.example.com/x",
      "a.example.com/y",
      "a.example.com/y",
    ]);
    assert.equal(rig.news, 2, "nothing changed in the second round");
  });

  it("counts scans, and repositories in use by the result of their last scan", async () => {
    const gate = Promise.withResolvers<undefined>();
    await using rig = new Rig("example.test/a", "example.test/b");
    rig.gate = gate.promise;
    await rig.begun(2);
    assert.deepEqual([rig.scans, rig.counts], [[], "0 scanned, 0 failed, 2 waiting"]);

    gate.resolve(undefined);
    await rig.warmer.idle();
    assert.deepEqual([rig.scans, rig.counts], [[true, true], "2 scanned, 0 failed, 0 waiting"]);

    rig.isRefused = true;
    await rig.clock.advance(minute);
    await rig.warmer.idle();
    assert.deepEqual([rig.scans.slice(2), rig.counts], [[false, false], "0 scanned, 2 failed, 0 waiting"]);

    rig.images.delete("example.test/a");
    rig.isRefused = false;
    await rig.clock.advance(minute);
    await rig.warmer.idle();
    assert.deepEqual([rig.scans.slice(4), rig.counts], [[true], "1 scanned, 0 failed, 0 waiting"]);
  });

  it("begins no round before the one before has ended", async () => {
    const gate = Promise.withResolvers<undefined>();
    await using rig = new Rig("a.example.com/x");
    rig.gate = gate.promise.then(() => undefined);

    await rig.begun(1);
    await rig.clock.advance(5 * minute);
    assert.equal(rig.asked.length, 1);
    gate.resolve(undefined);
    await rig.warmer.idle();
    assert.equal(rig.asked.length, 2);
  });

  it("takes what somebody asks for first, also where it was not in use a moment ago", async () => {
    await using rig = new Rig();
    await rig.warmer.idle();
    rig.images.set("alpine", new Map());

    rig.warmer.prioritize({ domain: "docker.io", image: "library/alpine" });

    await rig.warmer.idle();
    assert.deepEqual(rig.asked, ["index.docker.io/library/alpine"]);
    assert.equal(rig.log.lines[0], "priority=docker.io/library/alpine");
  });

  it("says that an image is not in use", async () => {
    await using rig = new Rig();

    rig.warmer.prioritize({ domain: "", image: "alpine" });

    await rig.warmer.idle();
    assert.ok(rig.log.lines.includes("priority=alpine err=no creds available"));
    assert.deepEqual(rig.asked, []);
  });

  it("looks again for a tag that the registry does not list yet", async () => {
    await using rig = new Rig("a.example.com/x");
    await rig.warmer.idle();
    assert.equal(rig.news, 1);

    await rig.clock.advance(minute / 4);
    rig.warmer.prioritize({ domain: "a.example.com", image: "x" }, ["2"]);
    await rig.warmer.idle();
    assert.equal(rig.asked.length, 2);
    rig.tags = ["1", "2"];
    await rig.clock.advance(1_000);

    await rig.warmer.idle();
    assert.equal(rig.asked.length, 3);
    assert.equal(rig.news, 2);
    await rig.clock.advance(minute / 2);
    await rig.warmer.idle();
    assert.equal(rig.asked.length, 3, "what was seen is not looked for again");
  });

  it("goes over no repository more than once a second, however often somebody says that it is new", async () => {
    await using rig = new Rig("a.example.com/x");
    await rig.warmer.idle();

    for (let times = 0; times < 100; times += 1) {
      rig.warmer.prioritize({ domain: "a.example.com", image: "x" });
    }
    await rig.warmer.idle();

    assert.equal(rig.asked.length, 1);
    await rig.clock.advance(1_000);
    await rig.warmer.idle();
    assert.equal(rig.asked.length, 2);
    await rig.clock.advance(minute / 2);
    await rig.warmer.idle();
    assert.equal(rig.asked.length, 2);
    assert.equal(rig.log.lines.filter((line) => line.startsWith("priority=")).length, 1);
  });

  it("takes what somebody says is new while all its places are taken", async () => {
    const gate = Promise.withResolvers<undefined>();
    await using rig = new Rig(...["a", "b", "c", "d", "e", "f"].map((name) => `a.example.com/${name}`));
    rig.gate = gate.promise.then(() => undefined);
    await rig.begun(4);

    rig.warmer.prioritize({ domain: "a.example.com", image: "f" });

    await rig.begun(5);
    assert.deepEqual(rig.asked.slice(4), ["a.example.com/f"]);
    gate.resolve(undefined);
    await rig.warmer.idle();
    assert.equal(rig.asked.length, 6);
  });

  it("does not keep asking the cluster for names that somebody makes up", async () => {
    await using rig = new Rig();
    await rig.warmer.idle();
    rig.warmer.prioritize({ domain: "", image: "made-up-1" });
    await rig.warmer.idle();
    assert.ok(rig.log.lines.includes("priority=made-up-1 err=no creds available"));

    rig.warmer.prioritize({ domain: "", image: "made-up-2" });
    rig.warmer.prioritize({ domain: "", image: "made-up-3" });
    await rig.warmer.idle();

    assert.equal(rig.rounds, 2);
    await rig.clock.advance(1_000);
    await rig.warmer.idle();
    assert.ok(rig.log.lines.includes("priority=made-up-3 err=no creds available"));
    assert.equal(rig.rounds, 3);
  });

  it("goes over new repositories before those that it knows", async () => {
    await using rig = new Rig("a.example.com/old");
    await rig.warmer.idle();
    rig.images.clear();
    for (const name of ["old", "new-1", "new-2", "new-3", "new-4"]) {
      rig.images.set(`a.example.com/${name}`, new Map());
    }

    await rig.clock.advance(minute);
    await rig.warmer.idle();

    assert.equal(rig.asked.length, 6);
    assert.equal(rig.asked.at(-1), "a.example.com/old");
  });

  it("stops in the middle of its work", async () => {
    const gate = Promise.withResolvers<undefined>();
    const rig = new Rig("a.example.com/x");
    rig.gate = gate.promise.then(() => undefined);
    await rig.begun(1);

    const stopped = rig.warmer.stop();
    gate.resolve(undefined);
    await stopped;

    assert.deepEqual(rig.log.lines, ["stopping=true"]);
    assert.equal(rig.news, 0);
  });
});
