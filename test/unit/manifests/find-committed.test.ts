import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findCommittedFiles } from "../../../src/manifests/files/find-committed.ts";

describe("findCommittedFiles", () => {
  it("finds what may contain manifests, sorted by the names in each folder", () => {
    assert.deepEqual(find(["b.yml", "a-b.yaml", "a/z.yaml", "a/README.md", ".hidden/x.yaml"]), [
      ".hidden/x.yaml",
      "a/z.yaml",
      "a-b.yaml",
      "b.yml",
    ]);
  });

  it("goes path by path, and lists a file below two of them twice", () => {
    const files = ["a/x.yaml", "b/y.yaml", "z.yaml"];

    assert.deepEqual(find(files, ["b", "./b/", "/a/x.yaml"]), ["b/y.yaml", "b/y.yaml", "a/x.yaml"]);
    assert.deepEqual(find(files, ["z.yaml/", "a/../a"]), ["z.yaml", "a/x.yaml"]);
  });

  it("leaves out charts, also where a path begins in one", () => {
    const files = ["c/Chart.yaml", "c/values.yaml", "c/templates/x.yaml", "half/Chart.yaml", "y.yaml"];

    assert.deepEqual(find(files), ["half/Chart.yaml", "y.yaml"]);
    assert.deepEqual(find(files, ["c", "c/templates", "c/templates/x.yaml", "y.yaml"]), ["y.yaml"]);
  });

  it("finds nothing in a folder that isn't in the commit except for a submodule", () => {
    assert.deepEqual(find([{ path: "sub", mode: "160000" }, "y.yaml"]), ["y.yaml"]);
  });

  const uncertain: readonly (readonly [why: string, files: readonly Listed[], paths?: readonly string[]])[] =
    [
      ["a path doesn't exist", ["x.yaml"], ["y"]],
      ["a path goes on below a file", ["x.yaml"], ["x.yaml/y"]],
      ["a path leads out of the repository", ["x.yaml"], ["../x.yaml"]],
      ["a path is a link", [link("l"), "x.yaml"], ["l"]],
      ["a path leads through a link", [link("l"), "x.yaml"], ["l/x.yaml"]],
      ["a path is a submodule", [{ path: "sub", mode: "160000" }], ["sub"]],
      ["a manifest is a link", [link("x.yaml")]],
      ["a file of a chart is a link", ["c/Chart.yaml", link("c/values.yaml")]],
      ["a manifest's name isn't text", ["\\xff.yaml"]],
      ["a folder has attributes", ["a/.gitattributes", "a/b/x.yaml"]],
      ["git refuses a name", ["x.yaml", "a/.git/config"], ["x.yaml"]],
      ["git refuses a name that other systems take for its own", ["a/Git~1/x.yaml"]],
      ["a name leads up", ["x.yaml", "a/../y.yaml"]],
      ["a folder above a path has attributes", [".gitattributes", "a/x.yaml"], ["a"]],
    ];
  for (const [why, files, paths] of uncertain) {
    it(`leaves it to a checkout if ${why}`, () => {
      assert.equal(find(files, paths), undefined);
    });
  }

  it("knows names that only begin like git's own", () => {
    assert.deepEqual(find([".github/x.yaml", ".gitignore", "git/y.yaml", "...yaml"]), [
      "...yaml",
      ".github/x.yaml",
      "git/y.yaml",
    ]);
  });

  it("isn't bothered by what is outside of the paths, or isn't a manifest", () => {
    const files = ["a/x.yaml", "a/script.sh", link("a/l"), link("b/y.yaml"), "b/.gitattributes"];

    assert.deepEqual(find(files, ["a"]), ["a/x.yaml"]);
  });
});

type Listed = string | { readonly path: string; readonly mode: string };

function find(files: readonly Listed[], paths: readonly string[] = []): readonly string[] | undefined {
  const all = files.map((file) => (typeof file === "string" ? { path: file, mode: "100644" } : file));
  return findCommittedFiles(all, paths)?.map(({ source }) => source);
}

function link(path: string): Listed {
  return { path, mode: "120000" };
}
