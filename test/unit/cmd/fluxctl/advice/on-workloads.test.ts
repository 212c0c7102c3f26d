import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseResourceId } from "@weir/flux";
import { emptyNamespace, unknownWorkload } from "../../../../../cmd/fluxctl/advice/on-workloads.ts";

const ids = ["default:deployment/app", "default:deployment/web", "prod:deployment/db"].map(parseResourceId);

describe("unknownWorkload", () => {
  for (const [what, id, next] of [
    ["a name like it", "default:deployment/ap", "Did you mean default:deployment/app?"],
    ["the same in another namespace", "default:deployment/db", "Did you mean prod:deployment/db?"],
    ["none like it", "default:statefulset/queue", "To list all workloads: fluxctl list-workloads -a"],
  ] as const) {
    it(`tells of ${what}`, () => {
      assert.deepEqual(unknownWorkload(parseResourceId(id), ids), [
        `The cluster doesn't have a workload ${id}.`,
        next,
      ]);
    });
  }
});

describe("emptyNamespace", () => {
  it("asks whether one like it was meant", () => {
    assert.deepEqual(emptyNamespace("defualt", ids), [
      'There are no workloads in namespace "defualt".',
      "Did you mean default?",
    ]);
  });

  it("names those with workloads where none is like it, not all of very many", () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      parseResourceId(`namespace-${index}:deployment/app`),
    );

    assert.match(
      emptyNamespace("x-y-z", ids).join("\n"),
      /\nThere are workloads in default, prod\. To select a namespace, use -n; to list all workloads, use list-workloads -a\.$/,
    );
    assert.match(
      emptyNamespace("x-y-z", many).join("\n"),
      /There are workloads in namespace-0, .*namespace-9, and 2 more\. To select/,
    );
  });

  it("says nothing where there are no workloads at all, or some in the namespace", () => {
    assert.deepEqual(emptyNamespace("default", []), []);
    assert.deepEqual(emptyNamespace("prod", ids), []);
  });
});
