import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { decodeUpdateSpec, plannerOf, printImageRef, type UpdateResult } from "@weir/flux";
import { fc, runs } from "@weir/testing/property";
import { plan, type World } from "../../dev/testing/src/update-world.ts";
import { image, pinnedImage, unreadableImage } from "./support/generators/images.ts";
import { containersSpec, imageSpec, worlds } from "./support/generators/worlds.ts";
import {
  type ModelContainersSpec,
  type ModelImageSpec,
  type ModelOutcome,
  releaseContainers,
  releaseImages,
} from "./support/model/release.ts";
import { modelOf } from "./support/model/world.ts";

const anyImage = fc.oneof({ arbitrary: image, weight: 4 }, pinnedImage);

/** What runs may also be what nobody can read. */
const runningImage = fc.oneof({ arbitrary: anyImage, weight: 9 }, unreadableImage);

describe("a release", () => {
  it("of images does to each workload what Flux does, for the same reason", () => {
    fc.assert(
      fc.property(imageSpec, worlds(runningImage), (spec, world) => {
        assert.deepEqual(released("image", spec, world), releaseImages(spec, modelOf(world)));
      }),
      runs(1500),
    );
  });

  it("of images to containers does to each workload what Flux does, or refuses as Flux does", () => {
    fc.assert(
      fc.property(containersSpec(anyImage), worlds(runningImage), (spec, world) => {
        assert.deepEqual(released("containers", spec, world), releaseContainers(spec, modelOf(world)));
      }),
      runs(1500),
    );
  });
});

/** What a release comes to that the API was asked for. */
function released(
  type: "image" | "containers",
  body: ModelImageSpec | ModelContainersSpec,
  world: World,
): Readonly<Record<string, ModelOutcome>> | string {
  const json = JSON.stringify({ type, cause: {}, spec: { Kind: "execute", ...body } });
  const spec = decodeUpdateSpec(JSON.parse(json) as JsonValue);
  assert.ok(spec.type === "image" || spec.type === "containers");
  const result = plan(spec, world);
  return plannerOf(spec).refuse?.(result) ?? outcomesOf(result);
}

function outcomesOf(result: UpdateResult): Readonly<Record<string, ModelOutcome>> {
  const outcomes = [...result].map(([id, { status, error = "", containers }]): [string, ModelOutcome] => {
    assert.ok(status !== "unknown");
    const updates = (containers ?? []).map(({ container, current, target }) => ({
      container,
      current: current === undefined ? "" : printImageRef(current),
      target: printImageRef(target),
    }));
    return [id, { status, reason: error, updates }];
  });
  return Object.fromEntries(outcomes);
}
