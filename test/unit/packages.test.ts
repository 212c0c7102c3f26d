import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const root = join(import.meta.dirname, "../..");

describe("packages", () => {
  it("know nothing of Flux, but for those that are about it", () => {
    const aboutFlux = ["flux", "upstream-server", "demo"];
    const exclude = (name: string): boolean => name.includes("node_modules");
    const files = globSync("packages/**/*", { cwd: root, exclude })
      .filter((file) => !aboutFlux.some((name) => file.startsWith(`packages/${name}/`)))
      .map((file) => join(root, file))
      .filter((file) => statSync(file).isFile());

    // Modules of InfluxData are among those of a program that a test builds.
    const speaking = files.filter((file) => /(?<!in)flux/i.test(readFileSync(file, "utf8")));

    assert.ok(files.length > 500, `${files.length} files`);
    assert.deepEqual(speaking, []);
  });
});
