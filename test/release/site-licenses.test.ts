import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { siteLicenses } from "../../dev/release/docs/licenses.ts";
import { withDependencies } from "../../dev/release/docs/site-packages.ts";

describe("the packages of the documentation site", () => {
  it("are those that are named and all that they need, where Node.js finds it, but no types", () => {
    const lock = {
      packages: {
        "": {},
        "node_modules/diagrams": { dependencies: { charts: "1", colors: "1", "@types/charts": "1" } },
        "node_modules/charts": { dependencies: { colors: "2" } },
        "node_modules/charts/node_modules/colors": { dependencies: { diagrams: "1", deep: "1" } },
        "node_modules/colors": {},
        "node_modules/deep": {},
        "node_modules/@types/charts": {},
        "node_modules/other": {},
      },
    };

    assert.deepEqual(withDependencies(["diagrams"], lock), [
      "node_modules/charts",
      "node_modules/charts/node_modules/colors",
      "node_modules/colors",
      "node_modules/deep",
      "node_modules/diagrams",
    ]);
    assert.throws(() => withDependencies(["missing"], lock), /has no missing/);
  });

  it("aren't delivered if one has a license that isn't allowed", () => {
    using folder = new TempFolder();
    const packages: Record<string, object> = {};
    for (const [name, license] of Object.entries({ ...licenses, "d3-hidden": "GPL-3.0-only" })) {
      packages[`node_modules/${name}`] = name === "mermaid" ? { dependencies: { "d3-hidden": "1" } } : {};
      folder.write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", license }));
    }
    folder.write("package-lock.json", JSON.stringify({ packages }));

    assert.throws(() => siteLicenses(folder.path), {
      message:
        "d3-hidden 1.0.0 has the license GPL-3.0-only, which isn't in the allow-list (scripts/licenses/judge.ts)",
    });
  });
});

const licenses = {
  "@vueuse/core": "MIT",
  "@vueuse/integrations": "MIT",
  "focus-trap": "MIT",
  "mark.js": "MIT",
  mermaid: "MIT",
  minisearch: "MIT",
  vitepress: "MIT",
  vue: "MIT",
};
