import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settled } from "@weir/testing";
import { runs } from "@weir/testing/property";
import fc from "fast-check";
import { tasksOf } from "../../../src/plan/plan.ts";
import type { SyncRequest } from "../../../src/plan/sync-request.ts";
import type { SyncPhase, SyncTask } from "../../../src/plan/task.ts";
import { type PlanRun, PlanRunner, type SyncActors } from "../../../src/run/run.ts";
import { OperationConflictError, type UnitProgress } from "../../../src/sync/operation.ts";
import { UnitSync } from "../../../src/sync/unit-sync.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";
import { type Behaviour, SimCluster } from "../../support/sim-cluster.ts";
import { TextStore } from "../../support/text-store.ts";

const never = new AbortController().signal;
const waitMs = 60_000;
const tickMs = 1_000;

const items = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
    hook: fc.constantFrom(
      "",
      "",
      "",
      "PreSync",
      "Sync",
      "PostSync",
      "SyncFail",
      "PreSync,PostSync",
      "PreSync,SyncFail",
    ),
    policy: fc.constantFrom("", "HookSucceeded", "HookFailed", "HookSucceeded,HookFailed"),
    wave: fc.integer({ min: -1, max: 1 }),
    isOrphan: fc.boolean(),
    isLeft: fc.boolean(),
    end: fc.oneof(
      { weight: 6, arbitrary: fc.constant("succeeds" as const) },
      { weight: 1, arbitrary: fc.constantFrom("fails" as const, "hangs" as const, "is refused" as const) },
    ),
    takes: fc.constantFrom(0, 1_000, 20_000),
    goes: fc.constantFrom(0, 0, 3_000),
  }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 8 },
);

/** What is to be synced. */
class Scenario {
  readonly targets;
  readonly orphans;
  readonly behaviours: ReadonlyMap<string, Behaviour>;
  readonly leftovers: readonly string[];

  constructor(given: ReturnType<typeof items.generate>["value"]) {
    const objects = given.map((item) => {
      const words = {
        "sync-wave": String(item.wave),
        ...(item.hook === "" ? {} : { hook: item.hook, "hook-timeout": "30s" }),
        ...(item.hook === "" || item.policy === "" ? {} : { "hook-delete-policy": item.policy }),
      };
      const type = item.hook === "" ? "apps/v1 Deployment" : "batch/v1 Job";
      return { ...item, object: thing(type, item.name, said(words)) };
    });
    const isOrphan = ({ hook, isOrphan: is }: (typeof objects)[number]): boolean => hook === "" && is;
    this.targets = objects.filter((item) => !isOrphan(item)).map(({ object }) => object);
    this.orphans = objects.filter(isOrphan).map(({ object }) => object);
    this.behaviours = new Map(given.map((item) => [item.name, item]));
    this.leftovers = objects.filter(({ hook, isLeft }) => hook !== "" && isLeft).map(({ name }) => name);
  }
}

/** A store that refuses the first writes, as if another process had written. */
class ContestedStore extends TextStore {
  #conflicts: number;

  constructor(conflicts: number) {
    super();
    this.#conflicts = conflicts;
  }

  override save(...args: Parameters<TextStore["save"]>): Promise<void> {
    this.#conflicts -= 1;
    return this.#conflicts >= 0
      ? Promise.reject(new OperationConflictError("contested"))
      : super.save(...args);
  }
}

/** A process that dies after it has done so many things; what it's in the middle of never goes on. */
class Process {
  readonly died = Promise.withResolvers<"died">();
  readonly #scenario: Scenario;
  readonly #cluster: SimCluster;
  readonly #unit: UnitSync;
  #left: number;

  constructor(
    scenario: Scenario,
    cluster: SimCluster,
    store: TextStore,
    { life, newId }: { life: number; newId: () => string },
  ) {
    this.#scenario = scenario;
    this.#cluster = cluster;
    this.#left = life;
    this.#unit = new UnitSync({
      unit: "",
      store: {
        load: (unit) => store.load(unit),
        save: async (unit, record) => {
          await this.#live();
          await store.save(unit, record);
          await this.#live();
        },
      },
      newId,
      now: () => cluster.now,
      plan: (_request, { run, hooks }) => Promise.resolve(this.#plan(run, hooks)),
      preflight: () => Promise.resolve(undefined),
      open: (_request, input, save) => this.#open(input, save),
      began: () => undefined,
      ended: () => undefined,
    });
  }

  /** Syncs a revision; time passes while it waits. */
  sync(revision: string, isEnough: () => boolean = () => false): Promise<PlanRun | "died" | "enough"> {
    const request: SyncRequest = { targets: [], isManaged: () => false, revision };
    return Promise.race([this.died.promise, this.#run(request, isEnough)]);
  }

  async #run(request: SyncRequest, isEnough: () => boolean): Promise<PlanRun | "enough"> {
    for (let ticks = 0; ticks < 1_000; ticks += 1) {
      const progress: UnitProgress = await this.#unit.advance(request, never);
      if (progress.kind === "ended") {
        return progress.run;
      }
      await this.#live();
      if (isEnough()) {
        return "enough";
      }
      this.#cluster.tick(tickMs);
    }
    return assert.fail("the sync doesn't end");
  }

  #plan(run: Parameters<typeof planOf>[0]["run"] & object, hooks: "when-changed" | "always" | "never") {
    const { targets, orphans } = this.#scenario;
    return planOf({
      targets,
      live: targets.filter((target) => this.#cluster.isApplied(target)),
      managed: orphans.filter((orphan) => !this.#cluster.isPruned(orphan)),
      run,
      options: { hooks },
    });
  }

  #open(input: ConstructorParameters<typeof PlanRunner>[0], save: SyncActors["save"]) {
    const cluster = this.#cluster;
    const uids = new Map(
      Object.entries(input.record?.tasks ?? {}).map(([id, { uid }]) => [id, uid] as const),
    );
    const runner = new PlanRunner(
      input,
      {
        save,
        perform: async (task) => {
          await this.#live();
          const deed = cluster.perform(task, input.record?.id ?? "");
          uids.set(task.id, deed.change === "deleted" ? undefined : deed.live?.metadata.uid);
          await this.#live();
          return deed;
        },
        healthOf: (task) => cluster.healthOf(task, uids.get(task.id)),
        changed: () => Promise.resolve(),
        clear: async (task, run) => {
          await this.#live();
          cluster.clear(task, run);
          await this.#live();
        },
      },
      { clock: { now: () => cluster.now, sleep: () => assert.fail() }, parallelism: 2, waitMs },
    );
    return {
      get plan() {
        return runner.plan;
      },
      replan: runner.replan.bind(runner),
      advance: runner.advance.bind(runner),
      changed: runner.changed.bind(runner),
      aborted: runner.aborted.bind(runner),
      stop: () => Promise.resolve(),
    };
  }

  async #live(): Promise<void> {
    this.#left -= 1;
    if (this.#left <= 0) {
      this.died.resolve("died");
      await new Promise(() => undefined);
    }
  }
}

/** Everything that can be told of a sync, however many processes it took. */
interface Story {
  readonly ending: string;
  readonly done: readonly SyncTask[];
  readonly stored: boolean;
  readonly operations: number;
}

async function play(scenario: Scenario, lives: readonly number[]): Promise<Story> {
  const cluster = new SimCluster(scenario.behaviours, scenario.leftovers);
  const store = new TextStore();
  let ids = 0;
  const newId = (): string => `operation-${(ids += 1)}`;
  for (const life of [...lives, Number.POSITIVE_INFINITY]) {
    const run = await new Process(scenario, cluster, store, { life, newId }).sync("r1");
    const record = await store.load("");
    const isOver = run !== "died" || record?.failedAt !== undefined;
    if (isOver) {
      const ending = typeof run === "string" ? "failed" : run.ending;
      return { ending, done: cluster.done, stored: record !== undefined, operations: ids };
    }
  }
  return assert.fail("no process has survived");
}

function hooksIn(done: readonly SyncTask[], ...phases: readonly SyncPhase[]): readonly string[] {
  return done
    .filter(({ action, phase }) => action === "hook" && (phases.length === 0 || phases.includes(phase)))
    .map(({ id }) => id)
    .toSorted();
}

const lives = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 });

describe("a sync whose process dies at any moment", () => {
  it("runs each hook once, and has the same result as without that", async () => {
    await fc.assert(
      fc.asyncProperty(items, lives, async (given, chosen) => {
        const scenario = new Scenario(given);

        const [plain, story] = [await play(scenario, []), await play(scenario, chosen)];

        assert.equal(story.ending, plain.ending);
        assert.deepEqual(hooksIn(story.done), hooksIn(plain.done));
        assert.equal(new Set(hooksIn(story.done)).size, hooksIn(story.done).length);
        const others = ({ done }: Story) =>
          [...new Set(done.filter(({ action }) => action !== "hook").map(({ id }) => id))].toSorted();
        assert.deepEqual(others(story), others(plain));
      }),
      runs(300),
    );
  });

  it("runs PostSync only after everything has succeeded, and SyncFail exactly if something has failed", async () => {
    await fc.assert(
      fc.asyncProperty(items, lives, async (given, chosen) => {
        const scenario = new Scenario(given);
        const planned = tasksOf(planOf({ targets: scenario.targets, managed: scenario.orphans }));

        const { ending, done } = await play(scenario, chosen);

        if (ending === "succeeded") {
          assert.deepEqual(hooksIn(done), hooksIn(planned, "PreSync", "Sync", "PostSync"));
        } else {
          const firstFail = done.findIndex(({ phase }) => phase === "SyncFail");
          const rest = firstFail < 0 ? [] : done.slice(firstFail);
          assert.ok(rest.every(({ phase }) => phase === "SyncFail"));
          const isRefused = ({ key }: SyncTask) => scenario.behaviours.get(key.name)?.end === "is refused";
          const due = planned.filter((task) => !isRefused(task));
          assert.equal(hooksIn(done, "SyncFail").length > 0, hooksIn(due, "SyncFail").length > 0);
        }
      }),
      runs(100),
    );
  });

  it("never begins a phase or wave before the earlier ones", async () => {
    await fc.assert(
      fc.asyncProperty(items, lives, async (given, chosen) => {
        const { done } = await play(new Scenario(given), chosen);
        const phases: readonly SyncPhase[] = ["PreSync", "Sync", "PostSync", "SyncFail"];
        const places = done.map(({ phase, wave }) => phases.indexOf(phase) * 10 + wave);

        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b),
        );
      }),
      runs(100),
    );
  });

  it("leaves a record only if it has failed", async () => {
    await fc.assert(
      fc.asyncProperty(items, lives, async (given, chosen) => {
        const { ending, stored, done } = await play(new Scenario(given), chosen);

        assert.ok(ending !== "succeeded" || !stored);
        assert.ok(ending !== "failed" || hooksIn(done).length === 0 || stored);
      }),
      runs(100),
    );
  });

  it("goes on from what is stored if another process has changed it, and gives up if that happens again", async () => {
    const item = {
      name: "a",
      hook: "",
      policy: "",
      wave: 0,
      isOrphan: false,
      isLeft: false,
      goes: 0,
    } as const;
    const scenario = new Scenario([
      { ...item, end: "succeeds", takes: 0 },
      { ...item, name: "b", hook: "PostSync", end: "succeeds", takes: 1_000 },
    ]);
    for (const [conflicts, ending] of [
      [1, "succeeded"],
      [2, "refused"],
    ] as const) {
      const cluster = new SimCluster(scenario.behaviours, []);
      const store = new ContestedStore(conflicts);
      const sync = new Process(scenario, cluster, store, { life: 1_000, newId: () => "one" }).sync("r1");

      const told = await sync.then(
        (run) => (typeof run === "string" ? run : run.ending),
        (error: unknown) =>
          error instanceof OperationConflictError ? "refused" : assert.fail(String(error)),
      );

      assert.equal(told, ending);
      assert.equal(hooksIn(cluster.done).length, ending === "succeeded" ? 1 : 0);
    }
  });

  it("gives way to a newer revision, which then has the last word", async () => {
    await fc.assert(
      fc.asyncProperty(items, lives, fc.nat({ max: 25 }), async (given, chosen, when) => {
        const scenario = new Scenario(given);
        const cluster = new SimCluster(scenario.behaviours, scenario.leftovers);
        const store = new TextStore();
        let ids = 0;
        const newId = (): string => `operation-${(ids += 1)}`;
        const first = new Process(scenario, cluster, store, { life: chosen[0] ?? 1_000, newId });
        let ticks = 0;
        const result = await first.sync("r1", () => (ticks += 1) > when);
        const before = await store.load("");

        const second = new Process(scenario, cluster, store, { life: Number.POSITIVE_INFINITY, newId });
        const continued = result === "died" ? "died" : await first.sync("r2");
        const run = continued === "died" ? await second.sync("r2") : continued;
        await settled();

        assert.ok(typeof run !== "string" && run.ending !== "aborted");
        const left = await store.load("");
        assert.ok(left === undefined || (left.revision === "r2" && left.failedAt !== undefined));
        // What the first one has left undone is still due.
        const isDue = before !== undefined && run.ending === "succeeded";
        const due = tasksOf(planOf({ targets: scenario.targets, options: { hooks: "always" } }));
        assert.ok(!isDue || hooksIn(cluster.done, "PostSync").length >= hooksIn(due, "PostSync").length);
      }),
      runs(100),
    );
  });
});
