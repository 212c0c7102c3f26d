import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gather, placeOf } from "../../../dev/release/packages/gather.ts";
import { withSpecifiers } from "../../../dev/release/packages/specifiers.ts";

const compiled: Readonly<Record<string, string>> = {
  "packages/app/src/index.js":
    'import { now } from "@weir/base/node";\nimport "ws";\nexport * from "./deep/part.js";\n',
  "packages/app/src/index.d.ts": 'export * from "./deep/part.ts";\n',
  "packages/app/src/deep/part.js": 'export const part = () => import("@weir/base");\n',
  "packages/app/src/deep/part.d.ts":
    'export declare const part: () => Promise<typeof import("@weir/base")>;\n',
  "packages/base/src/index.js": 'import { join } from "node:path";\n',
  "packages/base/src/index.d.ts": 'import type { Agent } from "undici/types";\n',
  "packages/base/src/node/index.js": "export const now = 'from \"@weir/base\"';\n",
};

const doors: Readonly<Record<string, string>> = {
  "@weir/base": "packages/base/src/index.ts",
  "@weir/base/node": "packages/base/src/node/index.ts",
};

const code = {
  read: (path: string): string => compiled[path] ?? assert.fail(`there is no ${path}`),
  sourceOf: (door: string): string | undefined => doors[door],
};

describe("gathering a package", () => {
  it("takes what the code imports, and what its types name, and makes their imports relative", () => {
    const { files, imports, typeImports } = gather(["packages/app/src/index.ts"], code);

    assert.deepEqual(Object.fromEntries(files), {
      "lib/app/index.js":
        'import { now } from "../base/node/index.js";\nimport "ws";\nexport * from "./deep/part.js";\n',
      "lib/app/index.d.ts": 'export * from "./deep/part.js";\n',
      "lib/app/deep/part.js": 'export const part = () => import("../../base/index.js");\n',
      "lib/app/deep/part.d.ts":
        'export declare const part: () => Promise<typeof import("../../base/index.js")>;\n',
      "lib/base/index.js": 'import { join } from "node:path";\n',
      "lib/base/index.d.ts": 'import type { Agent } from "undici/types";\n',
      "lib/base/node/index.js": "export const now = 'from \"@weir/base\"';\n",
    });
    assert.deepEqual([[...imports], [...typeImports]], [["ws"], ["undici"]]);
  });

  it("places our packages and the rest of the sources in one folder", () => {
    assert.equal(placeOf("packages/base/src/node/index"), "lib/base/node/index");
    assert.equal(placeOf("src/api/upstream/dial"), "lib/api/upstream/dial");
  });
});

describe("the names of modules", () => {
  it("are those of imports, not those in texts and comments", () => {
    const text = `// import "a";\nimport b from 'a';\nconst c = 'import "a"', d = /"/;\nexport { e } from "a";\n`;

    assert.equal(
      withSpecifiers(text, (name) => `${name}${name}`),
      `// import "a";\nimport b from 'aa';\nconst c = 'import "a"', d = /"/;\nexport { e } from "aa";\n`,
    );
  });
});
