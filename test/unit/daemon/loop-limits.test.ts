import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isTimeout, silentLogger } from "@weir/base";
import { FakeClock } from "@weir/testing";
import { Agenda } from "../../../src/daemon/agenda.ts";
import { JobQueue } from "../../../src/daemon/jobs/queue.ts";
import { Loop, type LoopDependencies } from "../../../src/daemon/loop.ts";

const syncTimeout = 60_000;
const gitTimeout = 20_000;

/** A loop of which one part waits until it is told to end, and what its signal was aborted with then. */
class HangingLoop implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly jobs = new JobQueue({ jobs: 10, weight: 10 }, () => undefined);
  readonly stop = new AbortController();
  readonly #begun = Promise.withResolvers<AbortSignal>();
  readonly #ended = Promise.withResolvers<AbortSignal>();
  readonly #running: Promise<void>;

  constructor(hangsIn: "head" | "sync" | "images" | "job") {
    const { clock, jobs } = this;
    const parts: Pick<LoopDependencies, "syncs" | "findNewImages"> = {
      syncs: {
        sync: async (_revision, { deadline }) => {
          await (hangsIn === "sync" ? this.#hang(deadline) : Promise.resolve());
          return undefined;
        },
      },
      findNewImages: async (signal) => {
        await (hangsIn === "images" ? this.#hang(signal) : Promise.resolve());
        return [];
      },
    };
    if (hangsIn === "job") {
      jobs.add({ id: "1", enqueuedAt: 0, weight: 0, run: (signal) => this.#hang(signal) });
    }
    const loop = new Loop({
      settings: {
        branch: "master",
        paths: [],
        setAuthor: false,
        skipMessage: "",
        pushRetries: 0,
        syncSetName: "set",
        manifestGeneration: false,
        verifySignatures: "none",
        syncInterval: 3_600_000,
        syncTimeout,
        gitTimeout,
        syncOnDrift: false,
        automationInterval: 3_600_000,
      },
      repo: {
        safeUrl: "file:///repo",
        status: () => ({ status: "ready", error: "" }),
        onRefreshed: () => () => undefined,
        branchHead: async (signal) => {
          await (hangsIn === "head" ? this.#hang(signal) : Promise.resolve());
          return "a";
        },
      },
      jobs,
      agenda: new Agenda(),
      metrics: {
        observeSync() {},
        observeJob() {},
        observeQueueTime() {},
        setQueueLength() {},
        setSyncManifests() {},
        observeRelease() {},
        observeReleaseStage() {},
        setSuspended() {},
        setLastSync() {},
        countChanges() {},
        countImagePoll() {},
        setHeadVerified() {},
      },
      logger: silentLogger,
      clock,
      suspensions: { find: () => undefined },
      requests: { releaseAutomatically: () => undefined },
      ...parts,
    });
    this.#running = loop.run(this.stop.signal);
  }

  /** The signal of the part that hangs. */
  begun(): Promise<AbortSignal> {
    return this.#begun.promise;
  }

  /** Resolves when that part was told to end. */
  ended(): Promise<AbortSignal> {
    return this.#ended.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort(new Error("the test is over"));
    await this.#running;
  }

  #hang(signal: AbortSignal): Promise<void> {
    this.#begun.resolve(signal);
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        this.#ended.resolve(signal);
        resolve();
      });
    });
  }
}

describe("the loop", () => {
  for (const [part, limit] of [
    ["head", gitTimeout],
    ["sync", syncTimeout],
    ["images", syncTimeout],
  ] as const) {
    it(`ends what takes too long: ${part}`, async () => {
      await using running = new HangingLoop(part);
      const signal = await running.begun();

      await running.clock.advance(limit - 1);
      assert.equal(signal.aborted, false);
      await running.clock.advance(1);

      assert.equal(isTimeout(await running.ended()), true);
    });
  }

  it("lets a job that runs end by itself for a while when it is stopped", async () => {
    await using running = new HangingLoop("job");
    const signal = await running.begun();

    running.stop.abort(new Error("stopping"));
    await running.clock.advance(4_999);
    assert.equal(signal.aborted, false);
    await running.clock.advance(1);

    assert.match(String((await running.ended()).reason), /stopping/);
  });
});
