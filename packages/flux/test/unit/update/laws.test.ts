import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { plan, resourcesOf, type World, type Written } from "../../../../../dev/testing/src/update-world.ts";
import { printImageRef } from "../../../src/image/ref.ts";
import { parseResourceId } from "../../../src/resource/id.ts";
import { affectedWorkloads, type UpdateResult } from "../../../src/update/result.ts";
import { allWorkloadsSpec, latestImageSpec, type ReleaseSpec } from "../../../src/update/spec.ts";
import { findUnplannedChange } from "../../../src/update/verify.ts";

const repositories = ["app", "docker.io/library/app", "example.test/side"];
const tags = ["1.0", "1.1", "1.10", "2.0", "main-1", "latest"];

const image = fc
  .tuple(fc.constantFrom(...repositories, "unknown"), fc.constantFrom(...tags))
  .map((parts) => parts.join(":"));
const filter = fc.constantFrom("glob:*", "glob:1*", "semver:^1", "regexp:^main-", "latest");
const flag = fc.constantFrom("true", "false");

const workload: fc.Arbitrary<Written> = fc.record({
  images: fc.dictionary(fc.constantFrom("a", "b", "c"), image),
  policies: fc
    .dictionary(fc.constantFrom("tag.a", "tag.b"), filter)
    .chain((filters) =>
      fc
        .record({ locked: flag, ignore: flag }, { requiredKeys: [] })
        .map((flags) => ({ ...flags, ...filters })),
    ),
});

/** All that git has runs as git says. */
const world: fc.Arbitrary<World> = fc.record({
  git: fc.dictionary(fc.constantFrom(...["v", "w", "x"].map((name) => `ns:deployment/${name}`)), workload),
  registry: fc.record({
    app: fc.dictionary(
      fc.constantFrom(...tags),
      fc.constantFrom("2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z", null),
    ),
    "example.test/side": fc.constant({ "1.0": "2020-01-01T00:00:00Z", "1.1": "2020-01-03T00:00:00Z" }),
  }),
});

const release: fc.Arbitrary<ReleaseSpec> = fc
  .tuple(
    fc.uniqueArray(
      fc.constantFrom(...["v", "w", "y"].map((name) => parseResourceId(`ns:deployment/${name}`))),
    ),
    fc.boolean(),
  )
  .map(([named, force]) => ({
    type: "image",
    cause: { message: "", user: "" },
    spec: {
      workloads: named.length === 0 ? [allWorkloadsSpec] : named,
      image: latestImageSpec,
      kind: "execute",
      excludes: null,
      force,
    },
  }));

/** Git as it is when a release was written into it. */
function released(git: World["git"], result: UpdateResult): World["git"] {
  const entries = Object.entries(git).map(([id, written]) => {
    const updates = result.get(parseResourceId(id))?.containers ?? [];
    const images = Object.fromEntries(
      updates.map(({ container, target }) => [container, printImageRef(target)]),
    );
    return [id, written && { ...written, images: { ...written.images, ...images } }] as const;
  });
  return Object.fromEntries(entries);
}

describe("a release of any workloads", () => {
  it("says something of every workload of git, and of all that are named", () => {
    fc.assert(
      fc.property(release, world, (spec, given) => {
        const result = plan(spec, given);

        const named =
          spec.type === "image" ? spec.spec.workloads?.filter((id) => id !== allWorkloadsSpec) : [];
        assert.deepEqual(
          [...result.keys()].sort(),
          [...new Set([...Object.keys(given.git), ...(named ?? [])])].sort(),
        );
      }),
    );
  });

  it("plans what can be checked, and has nothing left to do once that is done", () => {
    fc.assert(
      fc.property(release, world, (spec, given) => {
        const result = plan(spec, given);
        const git = released(given.git, result);

        assert.equal(findUnplannedChange(resourcesOf(given.git), result, resourcesOf(git)), undefined);
        assert.deepEqual(affectedWorkloads(plan(spec, { ...given, git })), []);
      }),
    );
  });

  it("comes out the same in whatever order the workloads stand", () => {
    fc.assert(
      fc.property(release, world, (spec, given) => {
        const turned = { ...given, git: Object.fromEntries(Object.entries(given.git).reverse()) };

        assert.deepEqual(new Map([...plan(spec, turned)].sort()), new Map([...plan(spec, given)].sort()));
      }),
    );
  });
});
