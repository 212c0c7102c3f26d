import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { syncSetName } from "../../../src/git/sync-set-name.ts";

describe("the name of a sync set", () => {
  /** What Flux v1 made of these configurations. */
  const vectors: readonly (readonly [string, string, readonly string[], string])[] = [
    ["git@github.com:fluxcd/flux-get-started", "master", [], "aBqHLTvk4pWff65LXXwheu1mmzfQkdC96YNjgC-1u0Q"],
    [
      "git@github.com:fluxcd/flux-get-started.git",
      "main",
      ["a", "b/c"],
      "cU0WIfRaXMO1zL8GOldLBRKgG4i26gxkwLllUJvkZ5k",
    ],
    [
      "https://user:pass@example.com/org/repo.git",
      "master",
      [],
      "ACI2sBDqjurcB008JDI-l-MhgCjaUF4ltbOXyMBJ8lg",
    ],
    ["ssh://git@example.com:2222/org/repo", "master", [], "9sK5GFAQiD0mq4DOLFRs3n79_8BDsvUt7iKiTAZFxjg"],
    ["/srv/git/repo.git", "master", [], "1BPblr_K1GW6drxCaDuDKrtAeAt2sWvJJpFUoLS6Fdc"],
    ["", "master", [], "AyGzE7DOtNOo2Z3Hfc5s1zsPODGLASaLhAhg37jIZA8"],
  ];
  for (const [url, branch, paths, name] of vectors) {
    it(`of ${url || "no URL"} is Flux's`, () => {
      assert.equal(syncSetName(url, branch, paths), name);
    });
  }

  it("does not depend on the password, but on the branch and the order of the paths", () => {
    const name = (password: string, branch: string, paths: readonly string[]) =>
      syncSetName(`https://u:${password}@h/x`, branch, paths);

    assert.equal(name("one", "b", ["x", "y"]), name("two", "b", ["x", "y"]));
    assert.notEqual(name("one", "b", ["x", "y"]), name("one", "b", ["y", "x"]));
    assert.notEqual(name("one", "b", []), name("one", "c", []));
  });
});
