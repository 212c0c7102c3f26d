import { fc } from "../../../support/property.ts";
import type { World, Written } from "../../../support/update-world.ts";
import type { ModelContainersSpec, ModelImageSpec } from "../model/release.ts";
import type { ModelRegistry } from "../model/world.ts";
import { registry, taggedImage } from "./images.ts";
import { policies } from "./policies.ts";

const containers = ["main", "side"] as const;
const ids = ["a:deployment/x", "a:daemonset/x", "b:deployment/x", "b:helmrelease/y"] as const;
const unknownIds = ["a:deployment/gone", "a/old"] as const;

/** Worlds whose images are among `image`. What runs is mostly what git says, and never what git has not got. */
export function worlds(
  image: fc.Arbitrary<string>,
): fc.Arbitrary<World & { readonly registry: ModelRegistry }> {
  const workload = fc.record<Written>({
    images: fc.dictionary(fc.constantFrom(...containers), image),
    policies: fc
      .record({ automated: fc.constantFrom("true", "true", "false"), rest: policies(containers) })
      .map(({ automated, rest }) => ({ automated, ...rest })),
  });
  const git = fc.dictionary(fc.constantFrom(...ids), fc.option(workload, { freq: 12 }));
  return git.chain((inGit) => {
    const running = Object.fromEntries(
      Object.entries(inGit).flatMap(([id, written]) =>
        written === null ? [] : [[id, fc.oneof({ arbitrary: fc.constant(written), weight: 3 }, workload)]],
      ),
    );
    return fc.record({
      git: fc.constant(inGit),
      cluster: fc.record(running, { requiredKeys: [] }).map(withoutGaps),
      registry,
    });
  });
}

/** Releases of one image, or of the newest. */
export const imageSpec: fc.Arbitrary<ModelImageSpec> = fc.record({
  ServiceSpecs: fc.oneof(
    fc.constant(["<all>"]),
    fc.uniqueArray(fc.constantFrom(...ids, ...unknownIds, "<all>"), { minLength: 1, maxLength: 3 }),
  ),
  ImageSpec: fc.oneof(fc.constant("<all latest>"), taggedImage),
  Excludes: fc.option(fc.uniqueArray(fc.constantFrom(...ids, ...unknownIds), { maxLength: 2 })),
  Force: fc.boolean(),
});

/** Releases of given images to containers that are there, or not. */
export function containersSpec(image: fc.Arbitrary<string>): fc.Arbitrary<ModelContainersSpec> {
  const update = fc.record(
    { Container: fc.constantFrom(...containers, "none"), Current: image, Target: image },
    { requiredKeys: ["Container", "Target"] },
  );
  return fc.record({
    ContainerSpecs: fc.dictionary(
      fc.constantFrom(...ids, ...unknownIds),
      fc.uniqueArray(update, { maxLength: 2, selector: ({ Container }) => Container }),
    ),
    SkipMismatches: fc.boolean(),
    Force: fc.boolean(),
  });
}

/** A record without the keys that were left out. */
function withoutGaps<T>(record: Readonly<Record<string, T | undefined>>): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
}
