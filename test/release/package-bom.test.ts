import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { TempFolder } from "@weir/testing";
import type { Bom } from "../../dev/release/supply/boms.ts";
import { writeLibraryBom } from "../../dev/release/supply/package-bom.ts";
import { root } from "./support.ts";

/** The SBOM of a library that was unpacked in this folder. */
async function bomIn(path: string): Promise<string> {
  using temporary = new TempFolder();
  const manifest = { name: "@weir/example", version: "1.2.3", license: "Apache-2.0", type: "module" };
  temporary.write(join(path, "package.json"), JSON.stringify(manifest));
  temporary.write(join(path, "lib", "index.js"), 'export { WebSocket } from "ws";\n');
  const output = join(temporary.path, "example.cdx.json");
  const { signal } = new AbortController();
  await writeLibraryBom({ root, folder: join(temporary.path, path), output, signal });
  return readFileSync(output, "utf8");
}

it("the SBOM of a library lists what its code imports, alike wherever it was unpacked", async () => {
  const near = await bomIn("package");
  const far = await bomIn("a/longer/path/to/the/package");

  const { components = [] } = JSON.parse(near) as Bom;
  assert.deepEqual(
    components.map(({ name }) => name),
    ["ws"],
  );
  assert.equal(far, near);
});
