import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { manifestKey, repositoryKey } from "../../../../src/registry/cache/keys.ts";

describe("the keys of the cache", () => {
  const alpine = { domain: "index.docker.io", image: "library/alpine" };

  it("are Flux's", () => {
    assert.equal(repositoryKey(alpine), "registryrepov4|index.docker.io/library/alpine");
    assert.equal(manifestKey(alpine, "3"), "registryhistoryv3|index.docker.io/library/alpine|3");
  });

  it("are digests where memcached could not hold them, or would read them as something else", () => {
    const long = { domain: "registry.example.com", image: "a".repeat(200) };

    for (const key of [manifestKey(long, "t".repeat(100)), manifestKey(alpine, "a\r\nflush_all")]) {
      assert.match(key, /^weir\|[0-9a-f]{64}$/);
    }
    assert.notEqual(manifestKey(long, "t".repeat(100)), manifestKey(long, "t".repeat(101)));
  });
});
