import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orAborted, silentLogger, type Unsubscribe } from "@weir/base";
import { type AutomatedChange, parseImageRef, parseResourceId, UnverifiedError } from "@weir/flux";
import { FakeClock, RecordedLog, settled } from "@weir/testing";
import { Agenda } from "../../../src/daemon/agenda.ts";
import { JobQueue } from "../../../src/daemon/jobs/queue.ts";
import { Loop, type LoopDependencies } from "../../../src/daemon/loop.ts";
import type { DaemonMetrics } from "../../../src/daemon/metrics.ts";
import type { DaemonSettings, Repo } from "../../../src/daemon/ports.ts";
import { SuspendedError } from "../../../src/daemon/suspension/errors.ts";
import type { SyncWait } from "../../../src/daemon/sync/sync-runner.ts";

const settings: DaemonSettings = {
  branch: "master",
  paths: [],
  setAuthor: false,
  skipMessage: "",
  pushRetries: 0,
  syncSetName: "set",
  manifestGeneration: false,
  verifySignatures: "none",
  syncInterval: 60_000,
  syncTimeout: 60_000,
  gitTimeout: 60_000,
  syncOnDrift: false,
  automationInterval: 300_000,
};

const noMetrics: DaemonMetrics = {
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
};

/** A repository whose head the test moves. */
class ScriptedRepo implements Pick<Repo, "safeUrl" | "status" | "onRefreshed" | "branchHead"> {
  readonly safeUrl = "file:///repo";
  #head = "";
  #listener: () => void = () => undefined;

  moveTo(head: string): void {
    this.peekAt(head);
    this.#listener();
  }

  /** Nobody is told of the head. */
  peekAt(head: string): void {
    this.#head = head;
  }

  status(): ReturnType<Repo["status"]> {
    return { status: this.#head === "" ? "new" : "ready", error: "" };
  }

  onRefreshed(listener: () => void): Unsubscribe {
    this.#listener = listener;
    return () => undefined;
  }

  branchHead(): Promise<string> {
    return Promise.resolve(this.#head);
  }
}

/** A loop that runs, and what it did so far. */
class RunningLoop implements AsyncDisposable {
  readonly repo = new ScriptedRepo();
  readonly clock = new FakeClock();
  readonly jobs = new JobQueue({ jobs: 10, weight: 10 }, () => undefined);
  readonly agenda = new Agenda();
  readonly did: string[] = [];
  readonly suspended = new Set<string>();
  readonly observed: string[] = [];
  readonly verified: boolean[] = [];
  readonly polled: boolean[] = [];
  arePollsRefused = false;
  newImages: readonly AutomatedChange[] = [];
  readonly released: (readonly AutomatedChange[])[] = [];
  polls = 0;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(
    sync: (revision: string) => Promise<SyncWait | undefined> = () => Promise.resolve(undefined),
    chosen: DaemonSettings = settings,
    others: Pick<LoopDependencies, "logger" | "heads"> = { logger: silentLogger },
  ) {
    const loop = new Loop({
      settings: chosen,
      repo: this.repo,
      jobs: this.jobs,
      agenda: this.agenda,
      metrics: {
        ...noMetrics,
        observeSync: (success) => {
          this.observed.push(`sync ${String(success)}`);
        },
        setHeadVerified: (isVerified) => {
          this.verified.push(isVerified);
        },
        countImagePoll: (success) => {
          this.polled.push(success);
        },
      },
      ...others,
      clock: this.clock,
      suspensions: {
        find: (what) =>
          this.suspended.has(what) ? { what, user: "", reason: "", since: new Date(0) } : undefined,
      },
      syncs: {
        sync: async (revision) => {
          this.did.push(`sync ${revision}`);
          return sync(revision);
        },
      },
      findNewImages: () => {
        this.polls += 1;
        return this.arePollsRefused
          ? Promise.reject(new Error("no images"))
          : Promise.resolve(this.newImages);
      },
      requests: { releaseAutomatically: (changes) => void this.released.push(changes) },
    });
    this.#running = loop.run(this.#stop.signal);
  }

  addJob(id: string, run: () => Promise<void> = () => Promise.resolve()): void {
    const note = async (): Promise<void> => {
      this.did.push(`job ${id}`);
      await run();
    };
    this.jobs.add({ id, enqueuedAt: 0, weight: 0, run: note });
    this.agenda.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the test is over"));
    await this.#running;
  }
}

describe("the loop", () => {
  it("does nothing while there is no mirror, and syncs when there is one", async () => {
    await using running = new RunningLoop();
    await running.agenda.idle();
    assert.deepEqual(running.did, []);

    running.repo.moveTo("a");
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a"]);
  });

  it("counts a sync as failed that is due while there is no mirror", async () => {
    await using running = new RunningLoop();
    await running.agenda.idle();
    assert.deepEqual(running.observed, ["sync false"]);

    await running.clock.advance(settings.syncInterval);
    await running.agenda.idle();
    assert.deepEqual(running.observed, ["sync false", "sync false"]);

    running.repo.moveTo("a");
    await running.agenda.idle();
    assert.deepEqual(running.observed, ["sync false", "sync false", "sync true"]);
  });

  it("syncs again when the head moves, not when it was only looked at", async () => {
    await using running = new RunningLoop();
    running.repo.moveTo("a");
    await running.agenda.idle();

    running.repo.moveTo("a");
    await running.agenda.idle();
    running.repo.moveTo("b");
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a", "sync b"]);
  });

  it("syncs to a head that was only peeked at when that is asked for, and not before", async () => {
    await using running = new RunningLoop();
    running.repo.moveTo("a");
    await running.agenda.idle();
    running.repo.peekAt("b");
    running.agenda.askForSync();
    await running.agenda.idle();

    running.agenda.askForSyncToHead();
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a", "sync a", "sync b"]);
  });

  it("syncs when the interval is over", async () => {
    await using running = new RunningLoop();
    running.repo.moveTo("a");
    await running.agenda.idle();

    await running.clock.advance(settings.syncInterval);
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a", "sync a"]);
  });

  it("makes one sync of many that are asked for", async () => {
    await using running = new RunningLoop();
    running.repo.moveTo("a");
    await running.agenda.idle();

    running.agenda.askForSync();
    running.agenda.askForSync();
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a", "sync a"]);
  });

  it("does jobs in their order, a failed one too, and a due sync before the next job", async () => {
    await using running = new RunningLoop();
    running.repo.moveTo("a");
    await running.agenda.idle();

    running.addJob("1", () => {
      running.repo.moveTo("b");
      return Promise.reject(new Error("refused"));
    });
    running.addJob("2");
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a", "job 1", "sync b", "job 2"]);
  });

  it("does nothing that is suspended, but jobs and the rest, and does it when it's resumed", async () => {
    await using running = new RunningLoop();
    running.suspended.add("sync").add("automation");
    running.repo.moveTo("a");
    running.agenda.askForSync();
    running.addJob("1");
    await running.clock.advance(settings.syncInterval);
    await running.agenda.idle();
    assert.deepEqual([running.did, running.polls, running.observed], [["job 1"], 0, []]);

    running.suspended.delete("sync");
    running.agenda.askForSync();
    await running.agenda.idle();
    assert.deepEqual([running.did, running.polls], [["job 1", "sync a"], 0]);

    running.suspended.delete("automation");
    running.agenda.askForImages();
    await running.agenda.idle();
    assert.equal(running.polls, 1);
  });

  it("neither counts nor forgets a sync that is stopped because syncing is suspended", async () => {
    await using running = new RunningLoop(() => {
      if (running.did.length > 1) {
        return Promise.resolve(undefined);
      }
      running.suspended.add("sync");
      return Promise.reject(new SuspendedError("syncing is suspended"));
    });
    await running.agenda.idle();
    running.observed.length = 0;
    running.repo.moveTo("a");
    await running.agenda.idle();
    assert.deepEqual([running.did, running.observed], [["sync a"], []]);

    running.suspended.clear();
    running.agenda.wake();
    await running.agenda.idle();

    assert.deepEqual([running.did, running.observed], [["sync a", "sync a"], ["sync true"]]);
  });

  it("looks for newer images at the start, when asked to, and when the interval is over", async () => {
    await using running = new RunningLoop();
    await running.agenda.idle();
    assert.equal(running.polls, 1);

    running.agenda.askForImages();
    running.agenda.askForImages();
    await running.agenda.idle();
    assert.equal(running.polls, 2);

    await running.clock.advance(settings.automationInterval ?? 0);
    await running.agenda.idle();
    assert.equal(running.polls, 3);
  });

  it("looks for no images where nothing is released by itself", async () => {
    await using running = new RunningLoop(undefined, { ...settings, automationInterval: undefined });

    running.agenda.askForImages();
    await running.agenda.idle();

    assert.equal(running.polls, 0);
  });

  it("goes on after a sync that failed", async () => {
    await using running = new RunningLoop(() => Promise.reject(new Error("no cluster")));
    running.repo.moveTo("a");
    await running.agenda.idle();

    running.repo.moveTo("b");
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a", "sync b"]);
  });
});

describe("the loop while a sync waits", () => {
  /** Syncs that wait until the test says that they can go on, as often as it says. */
  class Waits {
    readonly #left = new Map<string, number>();
    #news = Promise.withResolvers<true>();
    ended = 0;

    constructor(times: Readonly<Record<string, number>>) {
      this.#left = new Map(Object.entries(times));
    }

    sync = (revision: string): Promise<SyncWait | undefined> => {
      const left = this.#left.get(revision) ?? 0;
      this.#left.set(revision, left - 1);
      return Promise.resolve(left > 0 ? { changed: (signal) => this.#changed(signal) } : undefined);
    };

    goOn(): void {
      this.#news.resolve(true);
      this.#news = Promise.withResolvers<true>();
    }

    async #changed(signal: AbortSignal): Promise<void> {
      try {
        await orAborted(this.#news.promise, signal);
      } finally {
        this.ended += 1;
      }
    }
  }

  it("does jobs and looks for images, and continues the sync when it can go on", async () => {
    const waits = new Waits({ a: 2 });
    await using running = new RunningLoop(waits.sync);
    running.repo.moveTo("a");
    await running.agenda.idle();
    running.agenda.askForImages();
    running.addJob("1");
    await running.agenda.idle();
    assert.deepEqual(running.did, ["sync a", "job 1"]);
    assert.equal(running.polls, 2);

    waits.goOn();
    await running.clock.advance(1_000);
    await running.agenda.idle();
    waits.goOn();
    await running.clock.advance(1_000);
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a", "job 1", "sync a", "sync a"]);
    assert.deepEqual(running.observed.slice(-1), ["sync true"]);
    assert.equal(running.observed.filter((sync) => sync === "sync true").length, 1);
  });

  it("syncs to a new head at once, and waits for the old sync no longer", async () => {
    const waits = new Waits({ a: 1, b: 1 });
    await using running = new RunningLoop(waits.sync);
    running.repo.moveTo("a");
    await running.agenda.idle();

    running.repo.moveTo("b");
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a", "sync b"]);
    assert.equal(waits.ended, 1);
  });

  it("continues the sync when the interval is over, in case it missed something", async () => {
    const waits = new Waits({ a: 1 });
    await using running = new RunningLoop(waits.sync);
    running.repo.moveTo("a");
    await running.agenda.idle();

    await running.clock.advance(settings.syncInterval);
    await running.agenda.idle();

    assert.deepEqual(running.did, ["sync a", "sync a"]);
  });

  it("stops without waiting for it", async () => {
    const waits = new Waits({ a: 1 });
    {
      await using running = new RunningLoop(waits.sync);
      running.repo.moveTo("a");
      await running.agenda.idle();
    }
    await settled();

    assert.equal(waits.ended, 1);
  });
});

describe("a look for newer images", () => {
  it("is counted, also if it fails", async () => {
    await using running = new RunningLoop();
    await running.agenda.idle();
    running.arePollsRefused = true;

    running.agenda.askForImages();
    await running.agenda.idle();

    assert.deepEqual(running.polled, [true, false]);
  });
});

describe("newer images", () => {
  it("are released, if there are any", async () => {
    await using running = new RunningLoop();
    await running.agenda.idle();
    const image = parseImageRef("alpine:2");
    const change = {
      workload: parseResourceId("default:deployment/a"),
      container: { name: "a", image },
      image,
    };
    running.newImages = [change];

    running.agenda.askForImages();
    await running.agenda.idle();

    assert.deepEqual(running.released, [[change]]);
  });
});

describe("a branch whose commits must be signed", () => {
  const bad = {
    revision: "c",
    author: "Jo <jo@example.test>",
    status: "E",
    accepted: false,
    key: "K",
    reason: "the key isn't known",
  };

  it("is synced up to the last verified commit, and the bad one is logged each time", async () => {
    const logger = new RecordedLog();
    const heads = { verifyHead: () => Promise.resolve({ head: "d", verified: "b", bad }) };
    await using running = new RunningLoop(undefined, settings, { logger, heads });

    running.repo.moveTo("d");
    await running.agenda.idle();

    assert.deepEqual([running.did, running.verified], [["sync b"], [false]]);
    assert.deepEqual(logger.lines, [
      "err=found invalid GPG signature for commit revision=c key=K author=Jo <jo@example.test> reason=the key isn't known",
      "event=refreshed url=file:///repo branch=master HEAD=b",
    ]);
  });

  it("isn't synced to anything new if what was synced last isn't signed, and the log says why", async () => {
    const logger = new RecordedLog();
    const error = new UnverifiedError("verifying tag flux-sync: exit status 1", { key: "K", reason: "why" });
    const heads = { verifyHead: () => Promise.reject(error) };
    await using running = new RunningLoop(undefined, settings, { logger, heads });

    running.repo.moveTo("d");
    await running.agenda.idle();

    assert.deepEqual([running.did, running.verified], [[], [false]]);
    assert.deepEqual(logger.lines, [
      "url=file:///repo err=verifying tag flux-sync: exit status 1 key=K reason=why",
    ]);
  });

  it("counts as verified when its head is", async () => {
    const heads = { verifyHead: () => Promise.resolve({ head: "d", verified: "d" }) };
    await using running = new RunningLoop(undefined, settings, { logger: silentLogger, heads });

    running.repo.moveTo("d");
    await running.agenda.idle();

    assert.deepEqual(running.verified, [true]);
  });

  it("isn't synced while no commit is verified", async () => {
    const heads = { verifyHead: () => Promise.resolve({ head: "d", verified: "", bad }) };
    await using running = new RunningLoop(undefined, settings, { logger: silentLogger, heads });

    running.repo.moveTo("d");
    await running.agenda.idle();

    assert.deepEqual(running.did, []);
  });
});
