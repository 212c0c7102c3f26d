import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef, printImageRef } from "@weir/flux";
import { findHelmImages, imageChanges, mappedImagePaths } from "../../../src/manifests/helm-release.ts";

const none: ReadonlyMap<string, string> = new Map();

describe("findHelmImages", () => {
  const values = {
    image: "top/image:1",
    zeta: { image: "z/img", tag: "2" },
    alpha: { image: { repository: "a/img", tag: "3", registry: "quay.io" } },
    numtag: { image: "n/img", tag: 4 },
    reg: { registry: "quay.io", image: "r/img:5" },
    nested: { inner: { image: "no/no:1" } },
    custom: { deep: { repo: "c/img", tag: "6" } },
    imgonly: { image: { repository: "io/img:8" } },
    "with.dot": { image: "d/img:9" },
  };
  const annotations = new Map([
    ["repository.fluxcd.io/app", "custom.deep.repo"],
    ["tag.fluxcd.io/app", "custom.deep.tag"],
    ["tag.fluxcd.io/no-repository", "custom.deep.tag"],
    ["repository.fluxcd.io/nowhere", "custom.missing"],
  ]);

  it("sees the image at the top, those one level below, and those that annotations point at", () => {
    assert.deepEqual(
      findHelmImages(annotations, values).map(({ container, image }) => [container, printImageRef(image)]),
      [
        ["chart-image", "top/image:1"],
        ["alpha", "quay.io/a/img:3"],
        ["app", "c/img:6"],
        ["imgonly", "io/img:8"],
        ["numtag", "n/img"],
        ["reg", "quay.io/r/img:5"],
        ["with.dot", "d/img:9"],
        ["zeta", "z/img:2"],
      ],
    );
  });

  it("lets an annotation win over what it would see itself", () => {
    const pointing = new Map([["repository.fluxcd.io/zeta", "imgonly.image.repository"]]);

    const zeta = findHelmImages(pointing, values).find(({ container }) => container === "zeta");

    assert.deepEqual(zeta?.image, parseImageRef("io/img:8"));
  });

  it("sees nothing in values that are none", () => {
    assert.deepEqual(
      [undefined, null, "x", []].map((none_) => findHelmImages(none, none_)),
      [[], [], [], []],
    );
  });

  it("does not see what is no reference", () => {
    assert.deepEqual(findHelmImages(none, { a: { image: "x:y:z" }, b: { image: "" } }), []);
  });
});

describe("imageChanges", () => {
  const image = parseImageRef("quay.io/org/app:2");
  const shapes: readonly (readonly [values: Readonly<Record<string, string>>, changed: object])[] = [
    [{ image: "a/b:1" }, { image: "quay.io/org/app:2" }],
    [
      { image: "a/b", tag: "1" },
      { image: "quay.io/org/app", tag: "2" },
    ],
    [
      { registry: "r.io", image: "a/b:1" },
      { registry: "quay.io", image: "org/app:2" },
    ],
    [
      { registry: "r.io", image: "a/b", tag: "1" },
      { registry: "quay.io", image: "org/app", tag: "2" },
    ],
  ];
  for (const [values, changed] of shapes) {
    it(`keeps the shape of ${Object.keys(values).join(", ")}`, () => {
      const [found] = findHelmImages(none, values);

      const changes = found === undefined ? [] : imageChanges(found.paths, image);

      assert.deepEqual(
        Object.fromEntries(changes.map(({ path, value }) => [path.join("."), value])),
        changed,
      );
    });
  }
});

describe("mappedImagePaths", () => {
  const values = { app: { repo: "a/b", version: "1" } };
  const annotations = new Map([
    ["repository.fluxcd.io/web", "app.repo"],
    ["tag.fluxcd.io/web", "app.version"],
    ["repository.fluxcd.io/gone", "app.gone"],
  ]);

  it("gives where annotations say that an image stands, if one does", () => {
    assert.deepEqual(
      ["web", "gone", "other"].map((container) => mappedImagePaths(annotations, values, container)),
      [{ repository: ["app", "repo"], tag: ["app", "version"] }, undefined, undefined],
    );
  });
});
