import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orAborted } from "@weir/base";
import { FakeClock } from "@weir/testing";
import { type Health, health } from "../../../src/health/health-status.ts";
import type { SyncPlan } from "../../../src/plan/plan.ts";
import type { SyncTask } from "../../../src/plan/task.ts";
import { reportOf } from "../../../src/run/report.ts";
import { type PlanRun, PlanRunner, type SyncActors } from "../../../src/run/run.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";

const config = thing("v1 ConfigMap", "demo/config");
const web = thing("apps/v1 Deployment", "demo/web");
const later = thing("apps/v1 Deployment", "demo/later", said({ "sync-wave": "1" }));

/** A cluster that does as it is told, and is as healthy as the test says. */
class World implements SyncActors {
  readonly done: string[] = [];
  readonly healths = new Map<string, Health>();
  readonly refused = new Set<string>();
  #news = Promise.withResolvers<true>();
  #awaited = Promise.withResolvers<true>();

  perform = (task: SyncTask) => {
    if (this.refused.has(task.key.name)) {
      return Promise.reject(new Error(`${task.key.name} is refused`));
    }
    this.done.push(task.key.name);
    return Promise.resolve({ change: "created" as const });
  };

  healthOf = (task: SyncTask): Health | undefined => this.healths.get(task.key.name);

  clear = () => Promise.resolve();
  save = () => Promise.reject(new Error("there is nothing to store"));

  changed = async (_tasks: readonly SyncTask[], signal: AbortSignal): Promise<void> => {
    this.#awaited.resolve(true);
    await orAborted(this.#news.promise, signal);
  };

  /** Resolves when the sync waits for something to change. */
  waitedFor(): Promise<true> {
    return this.#awaited.promise;
  }

  becomes(name: string, state: Health): void {
    this.healths.set(name, state);
    const { resolve } = this.#news;
    this.#news = Promise.withResolvers<true>();
    this.#awaited = Promise.withResolvers<true>();
    resolve(true);
  }
}

async function start(
  plan: SyncPlan,
  world: World,
  clock = new FakeClock(),
  signal = new AbortController().signal,
): Promise<PlanRun> {
  const runner = new PlanRunner({ plan }, world, { clock, parallelism: 2, waitMs: 60_000 });
  for (;;) {
    const advance = await runner.advance(signal);
    if (advance.kind === "ended") {
      return advance.run;
    }
    await runner.changed(signal).catch(() => undefined);
  }
}

/** What came of each object, in a line. */
function told(plan: SyncPlan, run: PlanRun): readonly string[] {
  return reportOf(plan, run, "r1").resources.map(
    ({ key, code, error, reason }) =>
      `${key.name} ${code}${(error ?? reason) ? `: ${error ?? reason ?? ""}` : ""}`,
  );
}

describe("PlanRunner", () => {
  it("does all tasks, stage by stage", async () => {
    const world = new World();
    const plan = planOf({ targets: [web, config] });

    const run = await start(plan, world);

    assert.deepEqual(world.done, ["config", "web"]);
    assert.equal(run.ending, "succeeded");
    assert.deepEqual(told(plan, run), ["config Synced", "web Synced"]);
  });

  it("continues after a refusal and reports it", async () => {
    const world = new World();
    world.refused.add("config");
    const plan = planOf({ targets: [web, config] });

    const run = await start(plan, world);

    assert.equal(run.ending, "failed");
    assert.deepEqual(told(plan, run), ["config SyncFailed: config is refused", "web Synced"]);
  });

  it("begins the next wave as soon as the first is healthy", async () => {
    const world = new World();
    world.healths.set("web", health("Progressing"));
    const running = start(planOf({ targets: [web, later] }), world);
    await world.waitedFor();
    assert.deepEqual(world.done, ["web"]);

    world.becomes("web", health("Healthy"));
    const run = await running;

    assert.equal(run.ending, "succeeded");
    assert.deepEqual(world.done, ["web", "later"]);
  });

  it("gives a wave up that does not get healthy in time", async () => {
    const world = new World();
    const clock = new FakeClock();
    world.healths.set("web", health("Progressing", "0 of 1 are available"));
    const plan = planOf({ targets: [web, later] });
    const running = start(plan, world, clock);
    await clock.sleeping(60_000);

    await clock.advance(60_000);
    const run = await running;

    assert.deepEqual(told(plan, run), [
      "web SyncFailed: not healthy within 60 s: 0 of 1 are available",
      "later HeldBack: an earlier step failed",
    ]);
  });

  it("does not restart the time limit on an insufficient change", async () => {
    const world = new World();
    const clock = new FakeClock();
    world.healths.set("web", health("Progressing"));
    const running = start(planOf({ targets: [web, later] }), world, clock);
    await clock.sleeping(60_000);
    await clock.advance(50_000);

    world.becomes("web", health("Progressing", "closer"));
    await clock.sleeping(10_000);
    await clock.advance(10_000);

    assert.equal((await running).ending, "failed");
  });

  it("does not wait longer because the clock goes backward", async () => {
    const world = new World();
    let now = 10_000_000;
    const clock = { now: () => now, sleep: () => Promise.resolve() };
    world.healths.set("web", health("Progressing"));
    const plan = planOf({ targets: [web, later] });
    const runner = new PlanRunner({ plan }, world, { clock, parallelism: 2, waitMs: 60_000 });
    const signal = new AbortController().signal;
    assert.equal((await runner.advance(signal)).kind, "waiting");

    now -= 3_600_000;
    assert.equal((await runner.advance(signal)).kind, "waiting");
    now += 60_000;

    assert.equal((await runner.advance(signal)).kind, "ended");
  });

  it("stops when aborted, and reports what was done", async () => {
    const world = new World();
    const abort = new AbortController();
    world.healths.set("web", health("Progressing"));
    const plan = planOf({ targets: [web, later] });
    const running = start(plan, world, new FakeClock(), abort.signal);
    await world.waitedFor();

    abort.abort();
    const run = await running;

    assert.equal(run.ending, "aborted");
    assert.deepEqual(told(plan, run), ["web Synced", "later HeldBack: the sync ended first"]);
  });

  it("counts an interrupted task as not started", async () => {
    const abort = new AbortController();
    const plan = planOf({ targets: [config] });
    const world = new World();
    world.perform = () => {
      abort.abort();
      return Promise.reject(new Error("aborted"));
    };

    const run = await start(plan, world, new FakeClock(), abort.signal);

    assert.deepEqual(told(plan, run), ["config HeldBack: the sync ended first"]);
  });
});
