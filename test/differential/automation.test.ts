import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { automatedWorkloads, findUpdates, ImageRepositories, parseImageRef } from "@weir/flux";
import { fc, runs } from "@weir/testing/property";
import { metadataOf, resourcesOf, type World, workloadsOf } from "../../dev/testing/src/update-world.ts";
import { pinnedImage, taggedImage } from "./support/generators/images.ts";
import { worlds } from "./support/generators/worlds.ts";
import { automationChanges, type ModelChange } from "./support/model/automation.ts";
import { modelOf } from "./support/model/world.ts";

const anyImage = fc.oneof({ arbitrary: taggedImage, weight: 3 }, pinnedImage);

describe("automation", () => {
  it("changes what Flux changes, and nothing else", () => {
    fc.assert(
      fc.property(worlds(anyImage), (world) => {
        assert.deepEqual(changesIn(world), automationChanges(modelOf(world)));
      }),
      runs(1500),
    );
  });
});

function changesIn(world: World): readonly ModelChange[] {
  const automated = new Map(automatedWorkloads(resourcesOf(world.git)).map((each) => [each.id, each]));
  const repositories = new ImageRepositories(
    Object.entries(world.registry ?? {}).map(([name, tags]) => [parseImageRef(name), metadataOf(name, tags)]),
  );
  const running = workloadsOf(world).filter(({ id }) => automated.has(id));
  return findUpdates(running, (id) => automated.get(id)?.policies ?? {}, repositories).flatMap(
    ({ workload, container, outcome }) =>
      outcome.kind === "update"
        ? [{ workload, container: container.name, tag: outcome.change.image.tag }]
        : [],
  );
}
