import { fc } from "@weir/testing/property";
import type { World, Written } from "../../../../dev/testing/src/update-world.ts";
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
  const others = fc.dictionary(fc.constantFrom(...ids), fc.option(workload), { maxKeys: 2 });
  return fc
    .record({
      git: fc.dictionary(fc.constantFrom(...ids), fc.option(workload, { freq: 12 })),
      others,
      registry,
    })
    .map(({ git, others, registry }) => ({ git, cluster: running(git, others), registry }));
}

/** What runs: what git says, but where something else does, or nothing. */
function running(git: World["git"], others: World["git"]): Readonly<Record<string, Written>> {
  const entries = Object.entries(git).flatMap(([id, written]) => {
    const runs = written !== null && Object.hasOwn(others, id) ? others[id] : written;
    return runs ? [[id, runs] as const] : [];
  });
  return Object.fromEntries(entries);
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
