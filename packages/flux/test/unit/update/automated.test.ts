import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";
import { printResult } from "../../../../../cmd/fluxctl/output/result.ts";
import { plan } from "../../../../../dev/testing/src/update-world.ts";
import { parseImageRef } from "../../../src/image/ref.ts";
import { parseResourceId } from "../../../src/resource/id.ts";
import type { ReleaseSpec } from "../../../src/update/spec.ts";

function automated(
  ...changes: readonly (readonly [id: string, container: string, image: string])[]
): ReleaseSpec {
  return {
    type: "auto",
    cause: { message: "", user: "" },
    spec: changes.map(([id, name, image]) => ({
      workload: parseResourceId(id),
      container: { name, image: parseImageRef("was:1") },
      image: parseImageRef(image),
    })),
  };
}

describe("an automated release", () => {
  it("takes the tags over into git's spelling, and says why others stay", () => {
    const world = {
      git: {
        "ns:deployment/w": { images: { main: "docker.io/library/app:1", side: "side:1", again: "app:1" } },
        "ns:deployment/done": { images: { main: "app:2" } },
        "ns:deployment/locked": { images: { main: "app:1" }, policies: { locked: "true" } },
        "ns:deployment/other": { images: { main: "app:1" } },
      },
    };

    const result = plan(
      automated(
        ["ns:deployment/w", "main", "app:2"],
        ["ns:deployment/w", "again", "index.docker.io/library/app:3"],
        ["ns:deployment/done", "main", "docker.io/library/app:2"],
        ["ns:deployment/locked", "main", "app:2"],
        ["ns:deployment/gone", "main", "app:2"],
      ),
      world,
    );

    assert.equal(
      printResult(result, 2, plain),
      dedent(`
        WORKLOAD              STATUS   UPDATES
        ns:deployment/done    skipped  image(s) up to date
        ns:deployment/gone    skipped  not found in repository
        ns:deployment/locked  skipped  locked
        ns:deployment/other   ignored  not included
        ns:deployment/w       success  main: docker.io/library/app:1 -> 2
                                       again: app:1 -> 3
      `),
    );
  });

  it("goes by the images in git, which an earlier run may have changed already", () => {
    const result = plan(automated(["ns:deployment/w", "main", "app:2"]), {
      git: { "ns:deployment/w": { images: { main: "app:2" } } },
      cluster: { "ns:deployment/w": { images: { main: "app:1" } } },
    });

    assert.deepEqual(
      [...result.values()],
      [{ status: "skipped", error: "image(s) up to date", containers: null }],
    );
  });
});
