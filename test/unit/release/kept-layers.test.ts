import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { hashOfScripts, importedScripts } from "../../../dev/release/images/imported-scripts.ts";
import { scriptsOfLayers } from "../../../dev/release/images/layers.ts";

describe("the scripts that make kept layers", () => {
  it("are all that decide on their bytes", () => {
    const names = importedScripts(scriptsOfLayers).map((path) => basename(path));

    const deciding = [
      "layer.ts",
      "architecture.ts",
      "pinned-node.ts",
      "tar.ts",
      "configuration.ts",
      "deb.ts",
    ];
    assert.deepEqual(
      deciding.filter((name) => !names.includes(name)),
      [],
    );
  });

  it("are found through imports of one line and of several", () => {
    const files: Readonly<Record<string, string>> = {
      "/a/main.ts":
        'import { x } from "../b/x.ts";\nimport {\n  y,\n  z,\n} from "./y.ts";\nimport fs from "node:fs";\n',
      "/b/x.ts": 'export type { Z } from "./z.ts";\n',
      "/a/y.ts": "",
      "/b/z.ts": 'import { x } from "./x.ts";\n',
    };

    const found = importedScripts(["/a/main.ts"], (path) => files[path] ?? "?");

    assert.deepEqual(found, ["/a/main.ts", "/a/y.ts", "/b/x.ts", "/b/z.ts"]);
  });

  it("make other layers when one of them changes, such as how layers are compressed", () => {
    const layer = join(import.meta.dirname, "../../../dev/release/images/layer.ts");
    const changed = (path: string): string => {
      const text = readFileSync(path, "utf8");
      return path === layer ? text.replace('"-6"', '"-9"') : text;
    };

    assert.notEqual(hashOfScripts(scriptsOfLayers, changed), hashOfScripts(scriptsOfLayers));
    assert.equal(hashOfScripts(scriptsOfLayers), hashOfScripts(scriptsOfLayers));
  });
});
