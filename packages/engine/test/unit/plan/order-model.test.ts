import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, keyOf, printKey } from "@weir/kube";
import fc from "fast-check";
import { tasksOf } from "../../../src/plan/plan.ts";
import type { SyncPhase } from "../../../src/plan/task.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";

/**
 * The waves of gitops-engine, written down from its rules: targets go by their annotation; orphans swap the
 * waves that orphans have; those with PruneLast come one wave after everything else in the Sync phase; and a
 * namespace comes no later than the first object in it.
 */

interface Case {
  readonly targets: readonly KubeObject[];
  readonly orphans: readonly KubeObject[];
  readonly isAllLast: boolean;
}

type Place = readonly [phase: SyncPhase, wave: number];

const phases: readonly SyncPhase[] = ["PreSync", "Sync", "PostSync", "SyncFail"];
const namespaces = ["n0", "n1", "n2"];

function annotated(words: Readonly<Record<string, string | undefined>>) {
  return said(
    Object.fromEntries(
      Object.entries(words).flatMap(([name, word]) => (word === undefined ? [] : [[name, word]])),
    ),
  );
}

const wave = fc.option(fc.integer({ min: -3, max: 3 }).map(String), { nil: undefined });
const inNamespace = fc.constantFrom(...namespaces);

const target = fc.tuple(wave, inNamespace, fc.option(fc.constantFrom(...phases), { nil: undefined })).map(
  ([wave, namespace, hook]) =>
    (index: number) =>
      thing("batch/v1 Job", `${namespace}/t${index}`, annotated({ "sync-wave": wave, hook })),
);

const orphan = fc.tuple(wave, inNamespace, fc.option(fc.constant("PruneLast=true"), { nil: undefined })).map(
  ([wave, namespace, last]) =>
    (index: number) =>
      thing("v1 ConfigMap", `${namespace}/o${index}`, annotated({ "sync-wave": wave, "sync-options": last })),
);

const cases: fc.Arbitrary<Case> = fc
  .record({
    jobs: fc.array(target, { minLength: 1, maxLength: 8 }),
    spaces: fc.subarray(namespaces),
    spaceWaves: fc.array(wave, { minLength: 3, maxLength: 3 }),
    orphans: fc.array(orphan, { maxLength: 8 }),
    isAllLast: fc.boolean(),
  })
  .map(({ jobs, spaces, spaceWaves, orphans, isAllLast }) => ({
    targets: [
      ...jobs.map((make, index) => make(index)),
      ...spaces.map((name, index) =>
        thing("v1 Namespace", name, annotated({ "sync-wave": spaceWaves[index] })),
      ),
    ],
    orphans: orphans.map((make, index) => make(index)),
    isAllLast,
  }));

function annotation({ metadata }: KubeObject, name: string): string | undefined {
  return metadata.annotations?.[`argocd.argoproj.io/${name}`];
}

function ownPlace(object: KubeObject): Place {
  const phase = phases.find((each) => each === annotation(object, "hook")) ?? "Sync";
  return [phase, Number(annotation(object, "sync-wave") ?? "0")];
}

function compare([phaseA, waveA]: Place, [phaseB, waveB]: Place): number {
  return phases.indexOf(phaseA) - phases.indexOf(phaseB) || waveA - waveB;
}

function modelOf({ targets, orphans, isAllLast }: Case): ReadonlyMap<string, Place> {
  const ascending = [...new Set(orphans.map((each) => ownPlace(each)[1]))].sort((a, b) => a - b);
  const swapped = new Map(ascending.map((each, index) => [each, ascending.at(-1 - index) ?? each]));
  const inSync = targets.map(ownPlace).flatMap(([phase, each]) => (phase === "Sync" ? [each] : []));
  const after = Math.max(0, ...inSync, ...ascending) + 1;
  const places = new Map<string, Place>();
  for (const object of targets) {
    const dependents = targets.filter(({ metadata }) => metadata.namespace === object.metadata.name);
    const [first = ownPlace(object)] = [object, ...dependents].map(ownPlace).sort(compare);
    places.set(printKey(keyOf(object)), object.kind === "Namespace" ? first : ownPlace(object));
  }
  for (const object of orphans) {
    const isLast = isAllLast || annotation(object, "sync-options") !== undefined;
    const mirrored = swapped.get(ownPlace(object)[1]) ?? 0;
    places.set(printKey(keyOf(object)), ["Sync", isLast ? after : mirrored]);
  }
  return places;
}

function planned({ targets, orphans, isAllLast }: Case) {
  return planOf({
    targets,
    managed: orphans,
    options: { pruneLast: isAllLast ? "healthy" : false, hooks: "always" },
  });
}

describe("the order of a plan, beside the rules of gitops-engine", () => {
  it("puts each task into the same phase and wave", () => {
    fc.assert(
      fc.property(cases, (one) => {
        const places = tasksOf(planned(one)).map(
          ({ key, phase, wave }) => [printKey(key), [phase, wave]] as const,
        );

        assert.deepEqual(new Map(places), modelOf(one));
      }),
    );
  });

  it("has the waves in order, and in each of them what others need first", () => {
    fc.assert(
      fc.property(cases, (one) => {
        const { waves } = planned(one);

        const places = waves.map(({ phase, wave }): Place => [phase, wave]);
        assert.deepEqual(places, [...places].sort(compare));
        for (const { stages } of waves) {
          const kinds = stages.flat().flatMap(({ action, key }) => (action === "prune" ? [] : [key.kind]));
          assert.deepEqual(kinds, kinds.toSorted().toReversed());
        }
      }),
    );
  });
});
