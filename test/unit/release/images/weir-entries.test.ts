import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { weirEntries } from "../../../../dev/release/images/weir-entries.ts";

/** Node.js can't read a file of this size at once. */
const unreadable = 3 * 2 ** 30;

/** What is in `dist` of programs that are in the image. */
const programs = ["fluxctl", "fluxd", "man/man8/fluxd.8"];

describe("what an image has of Weir", () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "weir-entries-"));
    await cp("docker", join(root, "docker"), { recursive: true });
    const ofOthers = ["weir", "weir-console", "release/.work/source", "lib/demo-repository/web.yaml"];
    for (const path of [...programs, ...ofOthers, "lib/.compile-cache/0", "lib/pglite.wasm"]) {
      await mkdir(dirname(join(root, "dist", path)), { recursive: true });
      await writeFile(join(root, "dist", path), path, { mode: 0o755 });
    }
    for (const program of ["fluxctl", "fluxd", "weir", "weir-console"]) {
      await writeFile(join(root, "dist", "lib", `start-${program}.cjs`), `require("./${program}.cjs")`);
      const text = program === "fluxd" ? 'require("./shared.cjs")' : '"demo-repository", "pglite.wasm"';
      await writeFile(join(root, "dist", "lib", `${program}.cjs`), program === "fluxctl" ? "" : text);
    }
    await writeFile(join(root, "dist", "lib", "shared.cjs"), "");
    await writeFile(join(root, "dist", ".metafile.json"), '{ "inputs": {}, "outputs": {} }');
    await Promise.all(["LICENSE", "NOTICE"].map((name) => writeFile(join(root, name), name)));
  });
  after(() => rm(root, { recursive: true }));

  it("is what a build makes for clusters, without the demo and the console, and doesn't even read a release that's being made", async () => {
    await truncate(join(root, "dist/release/.work/source"), unreadable);

    const entries = await weirEntries(root, 0);

    const paths = entries
      .map(({ path }) => path)
      .filter((path) => path.startsWith("opt/"))
      .toSorted();
    const lib = ["fluxctl.cjs", "fluxd.cjs", "shared.cjs", "start-fluxctl.cjs", "start-fluxd.cjs"];
    assert.deepEqual(
      paths,
      [
        ...["", "/LICENSE", "/NOTICE", "/THIRD-PARTY-NOTICES.txt", "/lib", "/man", "/man/man8"],
        ...programs.map((path) => `/${path}`),
        ...lib.map((name) => `/lib/${name}`),
      ]
        .map((path) => `opt/weir${path}`)
        .toSorted(),
    );
  });
});
