import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { KnownImages } from "../support/known-images.ts";
import { ignoredObjects } from "./support/generators/ignored.ts";
import { isApplied } from "./support/model/ignored.ts";
import { Program } from "./support/program.ts";

describe("objects that are to be ignored", () => {
  const parts = new AsyncDisposableStack();
  let running: Program | undefined;
  const objects = ignoredObjects();

  before(async () => {
    running = parts.use(
      await Program.start({
        files: { "all.yaml": objects.map(({ inGit }) => `---\n${JSON.stringify(inGit)}\n`).join("") },
        images: new KnownImages(),
        flags: ["--k8s-unsafe-exclude-resource=v1/Secret"],
        prepare: async (kube) => {
          for (const { live, collection } of objects) {
            await kube.create(collection, live);
          }
        },
      }),
    );
  });
  after(() => parts.disposeAsync());

  for (const [title, group] of Map.groupBy(objects, (each) => each.title)) {
    it(`are left as they are, or not, as in Flux: ${title}`, async () => {
      for (const object of group) {
        const live = await running?.kube.get(`${object.collection}/${object.name}`);

        assert.equal(live?.metadata.labels?.["from"] === "git", isApplied(object), JSON.stringify(object));
      }
    });
  }
});
