import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { fc } from "@weir/testing/property";
import { KnownImages } from "../support/known-images.ts";
import { registry } from "./support/generators/images.ts";
import { workloadObject } from "./support/generators/objects.ts";
import { imagesEntry, type Listed, serviceEntry } from "./support/model/listing.ts";
import { idOf } from "./support/model/workload.ts";
import { collectionOf } from "./support/paths.ts";
import { Program } from "./support/program.ts";

/** One cluster with many workloads, each a case of its own; git has every second one of them. */
const [known = {}] = fc.sample(registry, 1);
const workloads = Array.from({ length: 80 }, (_, index) => index).flatMap((index) =>
  fc.sample(workloadObject(`w${index}`), { numRuns: 1 + index }).slice(-1),
);

describe("the lists of the API", () => {
  const program = new AsyncDisposableStack();
  let running: Program | undefined;
  const listed = workloads.map(
    (live, index): Listed => ({ live, inGit: index % 2 === 0 ? live : undefined }),
  );

  before(async () => {
    const inGit = listed.flatMap((each) => each.inGit ?? []);
    running = program.use(
      await Program.start({
        files: Object.fromEntries(
          inGit.map((object) => [`${object.metadata.name}.yaml`, JSON.stringify(object)]),
        ),
        images: new KnownImages(known),
        prepare: async (kube) => {
          for (const { live } of listed.filter((each) => each.inGit === undefined)) {
            await kube.create(collectionOf(live), live);
          }
        },
      }),
    );
  });
  after(() => program.disposeAsync());

  async function entries(path: string): Promise<ReadonlyMap<JsonValue | undefined, JsonObject>> {
    const answer = await running?.call("GET", path);
    assert.equal(answer?.status, 200);
    return new Map((answer.json as readonly JsonObject[]).map((entry) => [entry["ID"], entry]));
  }

  it("show each workload as Flux shows it", async () => {
    const ours = await entries("/v6/services");

    for (const each of listed) {
      const { Status = null, Rollout = null, ...entry } = ours.get(idOf(each.live)) ?? {};
      const Labels = withoutMark(entry["Labels"] ?? null);
      // How far a rollout has come is tested where it is worked out.
      const expected = { ...serviceEntry(each), Status, Rollout };
      assert.deepEqual({ ...entry, Status, Rollout, Labels }, expected, JSON.stringify(each.live));
    }
  });

  it("show the images of each workload as Flux shows them", async () => {
    const ours = await entries("/v10/images");

    for (const each of listed) {
      assert.deepEqual(ours.get(idOf(each.live)), imagesEntry(each, known), JSON.stringify(each.live));
    }
  });
});

function withoutMark(labels: JsonValue): JsonValue {
  return isJsonObject(labels)
    ? Object.fromEntries(Object.entries(labels).filter(([key]) => key !== "fluxcd.io/sync-gc-mark"))
    : labels;
}
