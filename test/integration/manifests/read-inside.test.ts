import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { readFileInside } from "../../../src/manifests/files/read-file.ts";

describe("readFileInside", () => {
  it("reads nothing from outside, though folders become links while it works", async () => {
    using folder = new TempFolder();
    const root = join(folder.path, "checkout");
    folder.write("outside/x.yaml", "secret");
    folder.write("checkout/a/x.yaml", "own");
    const path = join(root, "a", "x.yaml");
    const contents = new Set<string>();

    for (let turn = 0; turn < 200; turn += 1) {
      const reading = readFileInside(root, path).then(
        (content) => content.toString(),
        (error: unknown) => (error instanceof Error ? error.name : "?"),
      );
      await exchange(root, turn % 7);
      contents.add(await reading);
    }

    assert.ok(!contents.has("secret"), [...contents].join(", "));
    assert.ok([...contents].every((content) => ["own", "UnreadableFileError"].includes(content)));
  });

  it("reads nothing through a folder that is a link out", async () => {
    using folder = new TempFolder();
    folder.write("outside/x.yaml", "secret");
    const root = join(folder.path, "checkout");
    mkdirSync(root);
    symlinkSync("../outside", join(root, "a"));

    await assert.rejects(readFileInside(root, join(root, "a", "x.yaml")), {
      name: "UnreadableFileError",
      message: "it's a link that leads out of the repository",
    });
  });
});

/**
 * Puts a link out in the place of a folder for a moment, after some turns of the event loop. Nothing is waited for by
 * these turns: they have the exchange come at another point of the reading each time, and no point may leak the file.
 */
async function exchange(root: string, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  renameSync(join(root, "a"), join(root, "b"));
  symlinkSync("../outside", join(root, "a"));
  await new Promise((resolve) => setImmediate(resolve));
  rmSync(join(root, "a"));
  renameSync(join(root, "b"), join(root, "a"));
}
