import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { weirEntries } from "../../../../scripts/release/images/weir-entries.ts";

/** Node.js can't read a file of this size at once. */
const unreadable = 3 * 2 ** 30;

describe("what an image has of Weir", () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "weir-entries-"));
    await cp("docker", join(root, "docker"), { recursive: true });
    const ofDemo = ["weir", "lib/weir.cjs", "lib/start-weir.cjs", "lib/demo-repository/web.yaml"];
    const others = ["fluxd", "lib/fluxd.mjs", "lib/.compile-cache/0", "release/.work/source"];
    for (const path of [...ofDemo, ...others]) {
      await mkdir(dirname(join(root, "dist", path)), { recursive: true });
      await writeFile(join(root, "dist", path), path, { mode: path === "fluxd" ? 0o755 : 0o644 });
    }
  });
  after(() => rm(root, { recursive: true }));

  it("is what a build makes for clusters, without the demo, and doesn't even read a release that's being made", async () => {
    await truncate(join(root, "dist/release/.work/source"), unreadable);

    const entries = await weirEntries(root, 0);

    const paths = entries
      .map(({ path }) => path)
      .filter((path) => path.startsWith("opt/"))
      .toSorted();
    assert.deepEqual(paths, ["opt/weir", "opt/weir/fluxd", "opt/weir/lib", "opt/weir/lib/fluxd.mjs"]);
  });
});
