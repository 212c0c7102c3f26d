import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { canonicalImageName, printImageName } from "../../../src/image/name.ts";
import {
  canonicalImageRef,
  type ImageRef,
  InvalidImageRefError,
  parseImageRef,
  parseImageRefLoosely,
  printImageRef,
  withTag,
} from "../../../src/image/ref.ts";

describe("parseImageRef", () => {
  const vectors: readonly (readonly [
    input: string,
    domain: string,
    image: string,
    tag: string,
    canonical: string,
  ])[] = [
    ["alpine", "", "alpine", "", "index.docker.io/library/alpine"],
    ["library/alpine:3.5", "", "library/alpine", "3.5", "index.docker.io/library/alpine"],
    ["docker.io/fluxcd/flux:1.1.0", "docker.io", "fluxcd/flux", "1.1.0", "index.docker.io/fluxcd/flux"],
    ["localhost:5000/a/b/c:rev", "localhost:5000", "a/b/c", "rev", "localhost:5000/a/b/c"],
    ["localhost/foo", "localhost", "foo", "", "localhost/foo"],
    ["weaveworks/scope", "", "weaveworks/scope", "", "index.docker.io/weaveworks/scope"],
    ["host:5000/foo", "", "host", "5000/foo", "index.docker.io/library/host"],
    ["my.host:5000/foo:1", "my.host:5000", "foo", "1", "my.host:5000/foo"],
    ["mylocalhostx/foo", "mylocalhostx", "foo", "", "mylocalhostx/foo"],
    ["foo/bar/baz", "foo", "bar/baz", "", "foo/bar/baz"],
    ["index.docker.io/nginx:1", "index.docker.io", "nginx", "1", "index.docker.io/library/nginx"],
  ];
  for (const [input, domain, image, tag, canonical] of vectors) {
    it(`reads ${input}`, () => {
      const ref = parseImageRef(input);

      assert.deepEqual(ref, { domain, image, tag, sha: "" });
      assert.equal(printImageName(canonicalImageName(ref)), canonical);
    });
  }

  it("keeps a tag beside a digest", () => {
    assert.deepEqual(parseImageRef("quay.io/a/b:1@sha256:abc"), {
      domain: "quay.io",
      image: "a/b",
      tag: "1",
      sha: "abc",
    });
  });

  it("says what is wrong with a text that is none", () => {
    const messages = ["", "/a", "a:", 'a"b/', "a:b:c"].map(problemOf);

    assert.deepEqual(messages, [
      'parsing "": blank image name: invalid image ID',
      'parsing "/a": expected image name as either <image>:<tag> or just <image>: invalid image ID',
      'parsing "a:": expected image name as either <image>:<tag> or just <image>: invalid image ID',
      'parsing "a\\"b/": expected image name as either <image>:<tag> or just <image>: invalid image ID',
      "expected image name as either <image>:<tag> or just <image>: invalid image ID",
    ]);
  });

  it("reads back what it printed", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "b", "-", "."), minLength: 1, maxLength: 6 });
    const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const optional = fc.oneof(fc.constant(""), part);
    const text = fc
      .tuple(fc.constantFrom("", "quay.io/", "localhost:5000/"), path, optional, optional)
      .map(([domain, name, tag, sha]) => domain + name + (tag && `:${tag}`) + (sha && `@sha256:${sha}`));

    fc.assert(
      fc.property(text, (input) => {
        const ref = parseImageRef(input);

        assert.deepEqual(parseImageRef(printImageRef(ref)), ref.sha === "" ? ref : { ...ref, tag: "" });
      }),
    );
  });
});

describe("parseImageRefLoosely", () => {
  it("leaves in the name what it cannot read", () => {
    const refs = ["a:b:c", "quay.io/org/app:", "x@sha256:", "/a", ""].map(parseImageRefLoosely);

    assert.deepEqual(refs, [
      { domain: "", image: "a:b:c", tag: "", sha: "" },
      { domain: "quay.io", image: "org/app:", tag: "", sha: "" },
      { domain: "", image: "x@sha256:", tag: "", sha: "" },
      { domain: "", image: "", tag: "", sha: "" },
      { domain: "", image: "", tag: "", sha: "" },
    ]);
  });
});

describe("other forms of a reference", () => {
  const pinned: ImageRef = { domain: "", image: "nginx", tag: "1", sha: "abc" };

  it("prints a digest rather than a tag", () => {
    assert.equal(printImageRef(pinned), "nginx@sha256:abc");
  });

  it("keeps the digest under a new tag", () => {
    assert.deepEqual(withTag(pinned, "2"), { ...pinned, tag: "2" });
  });

  it("has no digest in its canonical form", () => {
    assert.equal(printImageRef(canonicalImageRef(pinned)), "index.docker.io/library/nginx:1");
  });
});

function problemOf(input: string): string {
  try {
    return printImageRef(parseImageRef(input));
  } catch (error) {
    assert.ok(error instanceof InvalidImageRefError);
    return error.message;
  }
}
