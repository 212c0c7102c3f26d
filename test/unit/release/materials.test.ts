import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { materialsOf } from "../../../dev/release/supply/materials.ts";

const root = join(import.meta.dirname, "../../..");

/** Files that pin what is fetched, but not for a release. */
const others = [
  "dev/toolchain/programs/loki",
  "dev/testing/controlplane",
  "test/support/genuine/fluxctl",
  "test/support/genuine/fluxctl/install",
].flatMap((folder) => [`${folder}/go.mod`, `${folder}/go.sum`]);

describe("the materials of a release", () => {
  it("are all files of the repository that pin what is fetched for it", async () => {
    const kinds = [
      "*package-lock.json",
      "*go.mod",
      "*go.sum",
      "*/go-release.ts",
      "docker/tools.json",
      "docker/debian/*",
    ];
    const locks = execFileSync("git", ["ls-files", ...kinds], { cwd: root, encoding: "utf8" })
      .trim()
      .split("\n");

    const materials = await materialsOf(root, AbortSignal.timeout(60_000));

    assert.deepEqual(
      [...materials.keys()].toSorted(),
      locks.filter((file) => !others.includes(file)),
    );
    for (const [file, digest] of materials) {
      assert.match(digest, /^[0-9a-f]{64}$/, file);
    }
  });
});
