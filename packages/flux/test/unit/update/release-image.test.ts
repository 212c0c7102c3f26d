import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";
import { printResult } from "../../../../../cmd/fluxctl/output/result.ts";
import { plan, type World } from "../../../../../dev/testing/src/update-world.ts";
import { parseResourceId } from "../../../src/resource/id.ts";
import {
  allWorkloadsSpec,
  latestImageSpec,
  type ReleaseImageSpec,
  type ReleaseSpec,
} from "../../../src/update/spec.ts";

function release(given: {
  readonly to?: readonly string[];
  readonly image?: string;
  readonly exclude?: readonly string[];
  readonly force?: boolean;
}): ReleaseSpec {
  const { to = [allWorkloadsSpec], image = latestImageSpec, exclude, force = false } = given;
  const spec: ReleaseImageSpec = {
    workloads: to,
    image,
    kind: "execute",
    excludes: exclude?.map(parseResourceId) ?? null,
    force,
  };
  return { type: "image", cause: { message: "", user: "" }, spec };
}

function planned(spec: ReleaseSpec, world: World): string {
  return printResult(plan(spec, world), 2, plain);
}

const app = { images: { main: "example.test/app:1" } };
const older = "2020-01-01T00:00:00Z";
const newer = "2020-01-02T00:00:00Z";
const registry = { "example.test/app": { "1": older, "2": newer } };

describe("a release of images", () => {
  it("sets the newest image that the tag filter of each container allows, and leaves the name as it is spelled", () => {
    const world = {
      git: {
        "ns:deployment/w": {
          images: { main: "app:1", old: "docker.io/library/app:1", sem: "index.docker.io/library/app:1" },
          policies: { "tag.old": "glob:1*", "tag.sem": "semver:<3" },
        },
      },
      registry: { app: { "1": older, "10": newer, "3": "2020-01-03T00:00:00Z", "2": older } },
    };

    assert.equal(
      planned(release({}), world),
      dedent(`
        WORKLOAD         STATUS   UPDATES
        ns:deployment/w  success  main: app:1 -> 3
                                  old: docker.io/library/app:1 -> 10
                                  sem: index.docker.io/library/app:1 -> 2
      `),
    );
  });

  it("goes by what runs, not by what git says", () => {
    const world = {
      git: { "ns:deployment/w": { images: { main: "example.test/app:2" } } },
      cluster: { "ns:deployment/w": app },
      registry,
    };

    assert.equal(
      planned(release({}), world),
      dedent(`
        WORKLOAD         STATUS   UPDATES
        ns:deployment/w  success  main: example.test/app:1 -> 2
      `),
    );
  });

  it("overrides locks and tag filters with force, where one image goes to named workloads", () => {
    const policies = { locked: "true", "tag.main": "glob:1*" };
    const world = { git: { "ns:deployment/w": { ...app, policies } }, registry };
    const to = ["ns:deployment/w"];

    assert.equal(
      planned(release({ to, image: "example.test/app:2", force: true }), world),
      dedent(`
        WORKLOAD         STATUS   UPDATES
        ns:deployment/w  success  main: example.test/app:1 -> 2
      `),
    );
    assert.match(planned(release({ to, force: true }), world), /skipped +image\(s\) up to date/);
  });

  it("takes a workload that is named beside <all> for one of all", () => {
    const world = { git: { "ns:deployment/w": app, "ns:deployment/v": app }, registry };

    assert.equal(
      planned(release({ to: ["ns:deployment/none", allWorkloadsSpec] }), world),
      dedent(`
        WORKLOAD            STATUS   UPDATES
        ns:deployment/none  skipped  not found in repository
        ns:deployment/v     success  main: example.test/app:1 -> 2
        ns:deployment/w     success  main: example.test/app:1 -> 2
      `),
    );
  });

  it("includes nothing but all by what stands behind <all>, be it readable or not", () => {
    const world = { git: { "ns:deployment/w": app }, registry };

    assert.equal(
      planned(release({ to: [allWorkloadsSpec, "ns:Deployment/none", "nothing at all"] }), world),
      dedent(`
        WORKLOAD            STATUS   UPDATES
        ns:deployment/none  skipped  not found in repository
        ns:deployment/w     success  main: example.test/app:1 -> 2
      `),
    );
  });

  it("finds a workload whose kind is written in another case", () => {
    const world = { git: { "ns:deployment/w": app, "ns:deployment/v": app }, registry };

    assert.equal(
      planned(release({ to: ["ns:Deployment/w"] }), world),
      dedent(`
        WORKLOAD         STATUS   UPDATES
        ns:deployment/v  ignored  not included
        ns:deployment/w  success  main: example.test/app:1 -> 2
      `),
    );
  });

  for (const [what, given, message] of [
    ["a workload that is none", { to: ["nothing"] }, "parsing nothing: invalid service ID"],
    ["a bad workload before <all>", { to: ["", allWorkloadsSpec] }, "parsing : invalid service ID"],
    ["no image", { image: "" }, 'parsing "": blank image name: invalid image ID'],
  ] as const) {
    it(`cannot be planned with ${what}`, () => {
      assert.throws(() => plan(release(given), { git: {} }), { message });
    });
  }

  it("gives the reason of the last container where none is updated, as Flux v1 does", () => {
    const images = { main: "example.test/app:2", side: "example.test/side:1" };

    assert.match(
      planned(release({ image: "example.test/app:2" }), { git: { "ns:deployment/w": { images } } }),
      /ignored +does not use image\(s\)/,
    );
  });
});
