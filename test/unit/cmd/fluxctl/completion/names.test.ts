import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeImageList, decodeWorkloads } from "@weir/flux/api";
import { imageRepositories, tagsOf, workloadNames } from "../../../../../cmd/fluxctl/completion/names.ts";

const workloads = decodeWorkloads([
  { ID: "a:deployment/app", Containers: [{ Name: "main", Current: { ID: "quay.io/o/app:1" } }] },
  { ID: "b:deployment/app", Containers: [{ Name: "main", Current: { ID: "quay.io/o/app:2" } }] },
  { ID: "b:cronjob/job", Containers: null },
]);

describe("workloadNames", () => {
  for (const [begun, home, names] of [
    ["", { name: "a", isGiven: false }, ["a:deployment/app", "b:deployment/app", "b:cronjob/job"]],
    ["b:", { name: "a", isGiven: true }, ["b:deployment/app", "b:cronjob/job"]],
    ["dep", { name: "a", isGiven: false }, ["deployment/app"]],
    ["", { name: "b", isGiven: true }, ["deployment/app", "cronjob/job"]],
  ] as const) {
    it(`are for ${JSON.stringify(begun)} in ${home.isGiven ? "the given" : "the usual"} namespace ${names.join(", ")}`, () => {
      assert.deepEqual(workloadNames(workloads, begun, home), names);
    });
  }
});

describe("imageRepositories", () => {
  it("are those of what runs, each once", () => {
    assert.deepEqual(imageRepositories(workloads), ["quay.io/o/app"]);
  });
});

describe("tagsOf", () => {
  it("asks for the images of one workload that runs the repository", async () => {
    const asked: string[] = [];
    const found = await tagsOf("quay.io/o/app", workloads, (workload) => {
      asked.push(workload);
      const available = [
        { ID: "quay.io/o/app:2", CreatedAt: "2020-01-01T00:00:00Z" },
        { ID: "quay.io/o/app:1" },
        { ID: ":broken" },
      ];
      return Promise.resolve(decodeImageList([{ ID: workload, Containers: [{ Available: available }] }]));
    });

    assert.deepEqual(asked, ["a:deployment/app"]);
    assert.deepEqual(found, [
      { word: "quay.io/o/app:2", what: "2020-01-01T00:00:00Z" },
      { word: "quay.io/o/app:1", what: "" },
    ]);
  });

  it("asks nobody for a repository that nothing runs", async () => {
    assert.deepEqual(await tagsOf("other", workloads, () => Promise.reject(new Error("asked"))), []);
  });
});
