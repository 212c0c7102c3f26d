/** What happens in a run with faults, decided by its seed alone: what is wanted, and what others do meanwhile. */
import { Dice } from "@weir/testing";
import type { Hook, Thing, ThingKind } from "./thing.ts";

/** What somebody else does in the cluster, and how long after the sync has begun, in milliseconds; 0: before. */
export type Meddling = Deed & { readonly afterMs: number };

type Deed =
  /** Changes a value of one of our objects. */
  | { readonly kind: "edit"; readonly thing: Thing; readonly key: string }
  | { readonly kind: "delete"; readonly thing: Thing }
  /** Takes our label from an object that we no longer want: it's theirs from now on. */
  | { readonly kind: "adopt"; readonly thing: Thing }
  /** Deletes an object that we no longer want, and creates another one with its name. */
  | { readonly kind: "replace"; readonly thing: Thing };

/** One revision of what is wanted. */
export interface Revision {
  readonly name: string;
  readonly things: readonly Thing[];
  readonly hooks: readonly Hook[];
  readonly meddling: readonly Meddling[];
  /** The first sync of the revision is aborted after this time, in milliseconds. */
  readonly abortAfterMs: number | undefined;
  /** After its first sync, the engine is replaced by another one, as by a restart. */
  readonly restarts: boolean;
}

/** A run. */
export interface Story {
  readonly seed: number;
  /** How far ahead the engine's own clock is. */
  readonly aheadMs: number;
  readonly revisions: readonly Revision[];
}

const keys = ["a", "b", "c"] as const;

/** The story of a seed. */
export function storyOf(seed: number): Story {
  const dice = new Dice(seed).of("story");
  const hooks = dice.chance(0.35)
    ? [hookFrom(dice.of("first hook"), "one"), hookFrom(dice.of("hook"), "two")]
    : [];
  const revisions: Revision[] = [];
  const lost = new Set<string>();
  let before: readonly Thing[] = [];
  for (let number = 1; number <= dice.of("length").between(2, 4); number += 1) {
    const revision = revisionFrom(dice.of("revision", number), {
      number,
      before,
      lost,
      hooks: hooks.slice(dice.between(0, 1)),
    });
    revisions.push(revision);
    before = revision.things;
  }
  return { seed, aheadMs: dice.of("ahead").pick([0, 0, 3_600_000, -3_600_000]), revisions };
}

interface Context {
  readonly number: number;
  readonly before: readonly Thing[];
  /** The names of things that others have taken. */
  readonly lost: Set<string>;
  readonly hooks: readonly Hook[];
}

function revisionFrom(dice: Dice, { number, before, lost, hooks }: Context): Revision {
  const names = [...cast].filter(({ name }) => !lost.has(name));
  const chosen = names.filter(({ name }) => dice.of(name).chance(0.7));
  const things = (chosen.length === 0 ? names.slice(0, 1) : chosen).map((member) =>
    thingFrom(dice.of(member.name, "content"), member, before),
  );
  const dropped = before.filter(
    ({ name, options }) => !things.some((thing) => thing.name === name) && options.length === 0,
  );
  const kept = before.filter(
    ({ name, options }) => things.some((thing) => thing.name === name) && options.length === 0,
  );
  const meddling = [
    ...dropped.flatMap((thing) => meddlingWith(thing, dice.of(thing.name, "taken"), ["adopt", "replace"])),
    ...kept.flatMap((thing) => meddlingWith(thing, dice.of(thing.name, "drift"), ["edit", "delete"])),
  ];
  for (const { kind, thing } of meddling) {
    if (kind === "adopt" || kind === "replace") {
      lost.add(thing.name);
    }
  }
  return {
    name: `r${number}`,
    things,
    hooks,
    meddling,
    restarts: dice.of("restart").chance(0.2),
    abortAfterMs: dice.of("abort").chance(0.2) ? dice.of("abort", "ms").between(100, 3_000) : undefined,
  };
}

/** Who may appear; some are never pruned, or written in another way. */
const cast: readonly Pick<Thing, "kind" | "name" | "options">[] = [
  ...["c0", "c1", "c2"].map((name) => ({ kind: "ConfigMap" as const, name, options: [] })),
  ...["s0", "s1"].map((name) => ({ kind: "Secret" as const, name, options: [] })),
  { kind: "Deployment", name: "d0", options: [] },
  { kind: "ConfigMap", name: "kept", options: ["Prune=false"] },
  { kind: "ConfigMap", name: "put", options: ["Replace=true"] },
  { kind: "ConfigMap", name: "served", options: ["ServerSideApply=true"] },
];

const waves: Readonly<Record<ThingKind, readonly number[]>> = {
  ConfigMap: [0, 0, 1],
  Secret: [-1, 0],
  Deployment: [0],
};

function thingFrom(dice: Dice, member: (typeof cast)[number], before: readonly Thing[]): Thing {
  const old = before.find(({ name }) => name === member.name);
  if (old !== undefined && dice.chance(0.4)) {
    return old;
  }
  const values = keys.flatMap((key) =>
    dice.chance(0.6) ? [[key, `v${dice.between(1, 999)}`] as const] : [],
  );
  return { ...member, values: Object.fromEntries(values), wave: old?.wave ?? dice.pick(waves[member.kind]) };
}

function hookFrom(dice: Dice, name: string): Hook {
  const policy = dice.pick(["BeforeHookCreation", "HookSucceeded"] as const);
  return {
    name,
    phase: dice.pick(["PreSync", "Sync", "PostSync"]),
    policy,
    // A failed pod stays where nothing deletes it before the next run.
    fails: policy === "BeforeHookCreation" && dice.chance(0.2) ? 1 : 0,
  };
}

function meddlingWith(thing: Thing, dice: Dice, kinds: readonly Meddling["kind"][]): readonly Meddling[] {
  if (!dice.chance(0.25)) {
    return [];
  }
  const kind = dice.pick(kinds);
  const afterMs = Math.max(0, dice.between(-2_000, 2_000));
  if (kind !== "edit") {
    return [{ kind, thing, afterMs }];
  }
  const [key] = Object.keys(thing.values);
  return key === undefined ? [] : [{ kind, thing, key, afterMs }];
}
