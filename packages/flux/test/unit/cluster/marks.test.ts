import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checksumOf, ignoreValueOf, markOf } from "../../../src/cluster/marks.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

describe("garbage-collection mark", () => {
  it("is the one that Flux v1 gives", () => {
    assert.equal(
      markOf("syncset", parseResourceId("default:deployment/helloworld")),
      "sha256.6082LSxD5ZkdT5DPjBEKLVdDbrgVFT2KXsFoNyLbmtE",
    );
    assert.equal(
      markOf("syncset", parseResourceId("<cluster>:namespace/demo")),
      "sha256.AHx2EVLAr2wsE77SlHXSlwyEjexRq9BpUaLoj-MglRE",
    );
  });

  it("is a valid label value", () => {
    assert.match(markOf("any", parseResourceId("a:b/c")), /^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?$/);
  });
});

describe("checksum", () => {
  it("is the SHA-1 of the manifest's bytes", () => {
    assert.equal(checksumOf(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  });
});

describe("ignore annotation", () => {
  it("counts under both prefixes, the newer one first", () => {
    assert.equal(ignoreValueOf({ "flux.weave.works/ignore": "true" }), "true");
    assert.equal(
      ignoreValueOf({ "flux.weave.works/ignore": "true", "fluxcd.io/ignore": "sync_only" }),
      "sync_only",
    );
    assert.equal(ignoreValueOf({ other: "true" }), undefined);
    assert.equal(ignoreValueOf(null), undefined);
  });
});
