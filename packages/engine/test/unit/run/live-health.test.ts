import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, keyOf } from "@weir/kube";
import { settled } from "@weir/testing";
import type { ResourceEvent } from "../../../src/cache/resource-cache.ts";
import { health } from "../../../src/health/health-status.ts";
import type { Sighting } from "../../../src/operations/follow.ts";
import { tasksOf } from "../../../src/plan/plan.ts";
import { isDeletion, type SyncTask } from "../../../src/plan/task.ts";
import { LiveHealth, type LiveHealthOptions } from "../../../src/run/live-health.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";

const never = new AbortController().signal;
const pod = thing("v1 Pod", "demo/web");
const hook = thing("v1 Pod", "demo/migrate", said({ hook: "Sync" }));

function taskFor(target: KubeObject): SyncTask {
  const [task] = tasksOf(planOf({ targets: [target], options: { hooks: "always" } }));
  assert.ok(task !== undefined);
  return task;
}

function inPhase(object: KubeObject, phase: string): KubeObject {
  return { ...object, spec: { restartPolicy: "Never" }, status: { phase } };
}

/** A cache that holds what the test puts there. */
class Held {
  readonly objects = new Map<string, KubeObject>();
  listener: ((event: ResourceEvent) => void) | undefined;

  get = ({ name }: { readonly name: string }): KubeObject | undefined => this.objects.get(name);
  isHeld = (): boolean => true;
  subscribe = (listener: (event: ResourceEvent) => void) => {
    this.listener = listener;
    return () => {
      this.listener = undefined;
    };
  };

  becomes(object: KubeObject): void {
    const before = this.objects.get(object.metadata.name ?? "");
    this.objects.set(object.metadata.name ?? "", object);
    this.listener?.({ key: keyOf(object), before, after: object });
  }
}

function livesOf(cache: Held, follow: LiveHealthOptions["follow"] = () => assert.fail("not to be followed")) {
  return new LiveHealth({ cache, follow, ruleFor: () => undefined });
}

describe("LiveHealth of what the cache holds", () => {
  it("is that of the object as it is now", () => {
    const cache = new Held();
    const lives = livesOf(cache);

    assert.equal(lives.healthOf(taskFor(pod))?.status, "Missing");
    cache.becomes(inPhase(pod, "Pending"));
    assert.equal(lives.healthOf(taskFor(pod))?.status, "Progressing");
    cache.becomes(inPhase(pod, "Succeeded"));
    assert.equal(lives.healthOf(taskFor(pod))?.status, "Healthy");
  });

  it("lets one look again at once, and then when there is news of it", async () => {
    const cache = new Held();
    const lives = livesOf(cache);
    const task = taskFor(pod);
    await lives.changed([task], never);
    let isTold = false;

    const changed = lives.changed([task], never).then(() => {
      isTold = true;
    });
    cache.becomes(inPhase(thing("v1 Pod", "demo/other"), "Succeeded"));
    await settled();
    assert.equal(isTold, false);
    cache.becomes(inPhase(pod, "Succeeded"));

    await changed;
    await lives.stop();
    assert.equal(cache.listener, undefined);
  });

  it("does not wait longer than the signal", async () => {
    const lives = livesOf(new Held());
    const task = taskFor(pod);
    await lives.changed([task], never);
    const abort = new AbortController();

    const changed = lives.changed([task], abort.signal);
    abort.abort(new Error("enough"));

    await assert.rejects(changed, /enough/);
  });
});

describe("LiveHealth of objects to prune", () => {
  const orphan = thing("v1 ConfigMap", "demo/orphan", { uid: "1" });
  const [task] = tasksOf(planOf({ targets: [pod], live: [pod], managed: [orphan] })).filter(isDeletion);

  it("is Progressing while the object is there, with its finalizers, and Missing after that", () => {
    assert.ok(task);
    const cache = new Held();
    const lives = livesOf(cache);

    cache.becomes(orphan);
    assert.deepEqual(lives.healthOf(task), health("Progressing"));
    cache.becomes({ ...orphan, metadata: { ...orphan.metadata, finalizers: ["a/b", "c/d"] } });
    assert.deepEqual(lives.healthOf(task), health("Progressing", "it has the finalizers a/b, c/d"));
    cache.objects.clear();
    assert.deepEqual(lives.healthOf(task), health("Missing"));
  });

  it("is Missing if another object has the name", () => {
    assert.ok(task);
    const cache = new Held();

    cache.becomes({ ...orphan, metadata: { ...orphan.metadata, uid: "2" } });

    assert.deepEqual(livesOf(cache).healthOf(task), health("Missing"));
  });
});

describe("LiveHealth of hooks", () => {
  /** Follows a hook through these sightings, one by one as the test asks to go on. */
  function following(sightings: readonly Sighting[]) {
    let next = Promise.withResolvers<true>();
    const lives = livesOf(new Held(), async function* () {
      for (const sighting of sightings) {
        await next.promise;
        next = Promise.withResolvers<true>();
        yield sighting;
      }
    });
    return { lives, goOn: () => next.resolve(true) };
  }

  it("is what the hook was left as, until it is seen", () => {
    const { lives } = following([]);
    const task = taskFor(hook);

    assert.equal(lives.healthOf(task)?.status, "Progressing");
    lives.note(task, inPhase(hook, "Succeeded"));
    assert.equal(lives.healthOf(task)?.status, "Healthy");
  });

  it("is final once it is decided, though the object is cleaned away", async () => {
    const { lives, goOn } = following([
      { kind: "seen", object: inPhase(hook, "Running") },
      { kind: "seen", object: inPhase(hook, "Succeeded") },
      { kind: "gone" },
    ]);
    const task = taskFor(hook);
    await lives.changed([task], never);
    const seen: (string | undefined)[] = [];
    for (let look = 0; look < 2; look += 1) {
      const changed = lives.changed([task], never);
      goOn();
      await changed;
      seen.push(lives.healthOf(task)?.status);
    }

    goOn();
    await lives.stop();

    assert.deepEqual(seen, ["Progressing", "Healthy"]);
    assert.equal(lives.healthOf(task)?.status, "Healthy");
  });

  it("is missing where the object goes before it is decided", async () => {
    const { lives, goOn } = following([{ kind: "gone" }]);
    const task = taskFor(hook);
    await lives.changed([task], never);

    const changed = lives.changed([task], never);
    goOn();
    await changed;

    assert.deepEqual(lives.healthOf(task), { status: "Missing", message: "someone else deleted it" });
    await lives.stop();
  });

  it("is missing where another object has the hook's name", async () => {
    const other = inPhase({ ...hook, metadata: { ...hook.metadata, uid: "u2" } }, "Succeeded");
    const { lives, goOn } = following([{ kind: "seen", object: other }]);
    const task = taskFor(hook);
    lives.expect(task, "u1");
    await lives.changed([task], never);

    const changed = lives.changed([task], never);
    goOn();
    await changed;

    assert.deepEqual(lives.healthOf(task), { status: "Missing", message: "someone else replaced it" });
    await lives.stop();
  });

  it("is progressing until the object of an earlier run is gone, whatever that is in", async () => {
    const old = inPhase({ ...hook, metadata: { ...hook.metadata, uid: "u1" } }, "Succeeded");
    const { lives, goOn } = following([{ kind: "seen", object: old }, { kind: "gone" }]);
    const task = taskFor(hook);
    lives.expectGone(task, old);
    await lives.changed([task], never);
    const seen: (string | undefined)[] = [];
    for (let look = 0; look < 2; look += 1) {
      const changed = lives.changed([task], never);
      goOn();
      await changed;
      seen.push(lives.healthOf(task)?.status);
    }

    assert.deepEqual(seen, ["Progressing", "Missing"]);
    await lives.stop();
  });
});
