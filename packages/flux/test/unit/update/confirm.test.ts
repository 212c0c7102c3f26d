import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { metadataOf, type World, workloadsOf } from "../../../../../dev/testing/src/update-world.ts";
import { canonicalImageName, printImageName } from "../../../src/image/name.ts";
import { parseImageRef, printImageRef } from "../../../src/image/ref.ts";
import { parseResourceId } from "../../../src/resource/id.ts";
import {
  confirmFindings,
  confirmResult,
  questionsAbout,
  replacementsOfFindings,
  replacementsOfResult,
} from "../../../src/update/confirm.ts";
import { type Finding, findUpdates } from "../../../src/update/find-updates.ts";
import { ImageRepositories, type RegistryAnswer } from "../../../src/update/images.ts";
import { failed, type UpdateResult, updated } from "../../../src/update/result.ts";

type Tags = Readonly<Record<string, string | null>>;

const app = "example.test/app";
const [day1, day2, day3] = ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z", "2020-01-03T00:00:00Z"];

/** What automation releases of a container when the cache says one thing and the registry another; null is away. */
function released(image: string, filter: string, known: Tags, truth: Tags | null): readonly string[] {
  const world: World = { git: { "default:deployment/web": { images: { main: image } } } };
  const repositories = new ImageRepositories([[parseImageRef(app), metadataOf(app, known)]]);
  const find = (each: ImageRepositories): readonly Finding[] =>
    findUpdates(workloadsOf(world), () => ({ "tag.main": filter }), each);
  const findings = find(repositories);
  const answers = questionsAbout(replacementsOfFindings(findings)).flatMap(
    (question): readonly RegistryAnswer[] => {
      if (truth === null) {
        return [];
      }
      const said = metadataOf(app, truth);
      const images = new Map([...said.images].filter(([tag]) => question.tags.includes(tag)));
      return [{ ...question, said: { tags: said.tags, images } }];
    },
  );
  return confirmFindings(findings, find(repositories.correctedBy(answers)), answers).map(({ outcome }) =>
    outcome.kind === "update" ? printImageRef(outcome.change.image) : outcome.warning,
  );
}

const another =
  "the registry and the cached metadata disagree about the newest image; scanning the repository again";

describe("what automation found", () => {
  const known = { "1.0": day1, "1.1": day2 };

  it("is released where the registry says the same", () => {
    assert.deepEqual(released(`${app}:1.0`, "glob:*", known, known), [`${app}:1.1`]);
    assert.deepEqual(released(`${app}:1.0`, "semver:*", known, known), [`${app}:1.1`]);
  });

  it("is not released, without a word, where the registry is away", () => {
    assert.deepEqual(released(`${app}:1.0`, "glob:*", known, null), []);
  });

  for (const [what, image, filter, truth] of [
    ["the image is not there", "1.0", "glob:*", { "1.0": day1 }],
    ["the version is not there", "1.0", "semver:*", { "1.0": day1 }],
    ["the repository is not there", "1.0", "semver:*", {}],
    ["the manifest is not there", "1.0", "glob:*", { "1.0": day1, "1.1": null }],
    ["the image is older than what runs", "1.0", "glob:*", { "1.0": day3, "1.1": day2 }],
    ["the image has no time", "1.0", "glob:*", { "1.0": day1, "1.1": "" }],
    ["what runs has no time", "1.0", "glob:*", { "1.0": "", "1.1": day2 }],
    ["there is a higher version", "1.0", "semver:*", { ...known, "2.0": day3 }],
    ["there is an image of which nothing is known", "1.0", "glob:*", { ...known, "2.0": day3 }],
  ] as const) {
    it(`is not released where ${what}`, () => {
      assert.deepEqual(released(`${app}:${image}`, filter, known, truth), [another]);
    });
  }

  it("is released whatever there is that the filter does not allow", () => {
    assert.deepEqual(released(`${app}:1.0`, "semver:~1", known, { ...known, "2.0": day3 }), [`${app}:1.1`]);
  });

  it("never goes back, and never to what is not there, whatever a cache says", () => {
    const tag = fc.constantFrom("1.0", "1.1", "1.2", "2.0");
    const time = fc.constantFrom(day1, day2, day3);
    const tags = fc.dictionary(tag, time);
    const filter = fc.constantFrom("glob:*", "semver:*", "semver:^1", "regexp:^1");
    fc.assert(
      fc.property(tag, filter, tags, tags, (runs, pattern, cache, truth) => {
        const image = released(`${app}:${runs}`, pattern, cache, truth).find((each) => each.startsWith(app));
        const chosen = image?.slice(app.length + 1) ?? runs;

        assert.ok(image === undefined || chosen in truth);
        if (runs in truth && pattern === "glob:*") {
          assert.ok(String(truth[chosen]) >= String(truth[runs]), `${runs} → ${chosen}`);
        }
        if (runs in truth && pattern === "semver:*") {
          assert.ok(chosen >= runs, `${runs} → ${chosen}`);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("questions to registries", () => {
  it("are one for each repository, about what is chosen and what runs, but for digests", () => {
    const replace = (current: string, target: string) => ({
      current: parseImageRef(current),
      target: parseImageRef(target),
    });

    const questions = questionsAbout([
      replace("alpine:1", "alpine:3"),
      replace("docker.io/library/alpine:2", "docker.io/library/alpine:3"),
      replace(`${app}:1@sha256:abcd`, `${app}:2@sha256:abcd`),
      replace(app, `${app}:2`),
    ]);

    assert.deepEqual(
      questions.map(({ repository, tags }) => [printImageName(canonicalImageName(repository)), tags]),
      [
        ["index.docker.io/library/alpine", ["3", "1", "2"]],
        [app, ["2"]],
      ],
    );
  });
});

describe("a release", () => {
  const [web, side] = ["default:deployment/web", "default:deployment/side"].map(parseResourceId);
  assert.ok(web !== undefined && side !== undefined);
  const update = (container: string, target: string) => ({
    container,
    current: parseImageRef(`${app}:1`),
    target: parseImageRef(target),
  });
  const [main, other] = [update("main", `${app}:2`), update("other", "other.test/x:2")];
  const answers = ["example.test/app", "other.test/x"].map((name) => ({
    repository: parseImageRef(name),
    tags: ["2"],
    said: { tags: [], images: new Map() },
  }));

  it("stays as it is where all is chosen again", () => {
    const result: UpdateResult = new Map([
      [web, updated([main, other])],
      [side, failed("why")],
    ]);

    assert.deepEqual(confirmResult(result, result, answers), result);
    assert.equal(replacementsOfResult(result).length, 2);
  });

  it("leaves out what is not chosen again, or whose registry is away, and says so", () => {
    const result: UpdateResult = new Map([[web, updated([main, other])]]);
    const again: UpdateResult = new Map([[web, updated([main])]]);
    const reason = "not confirmed by the registry: other.test/x:2";

    assert.deepEqual(confirmResult(result, again, answers).get(web), updated([main], reason));
    assert.deepEqual(confirmResult(result, result, answers.slice(0, 1)).get(web), updated([main], reason));
    assert.deepEqual(confirmResult(result, new Map(), []).get(web), {
      status: "skipped",
      error: "not confirmed by the registry: example.test/app:2, other.test/x:2",
      containers: null,
    });
  });
});
