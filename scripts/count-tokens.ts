/**
 * How much code there is, by a measure that moved files, joined lines, and comments don't change: the tokens that
 * TypeScript's scanner finds. `node scripts/count-tokens.ts`, or with the folder of another checkout. Of product code, none
 * is unused: `npm run dead-code` sees to that.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** What a file is for, by its path; the first that matches. Both trees, that of today and that before the hub, are known. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ["tests", /^(test|(packages|dev)\/[^/]+\/test|hub\/test|(dev|packages)\/testing)\//],
  ["benchmarks", /^(dev\/)?bench\//],
  ["tools", /^(scripts\/(?!release\/)|(dev|packages)\/toolchain\/)/],
  ["release", /^(scripts|dev)\/release\//],
  ["console", /^(hub|src\/console|cmd\/console)\//],
  ["fluxd, fluxctl, weir, and packages", /^(cmd|src|packages)\//],
  ["examples", /^examples\//],
];

const root = process.argv[2] ?? join(import.meta.dirname, "..");
const files = execFileSync("git", ["-C", root, "ls-files"], { encoding: "utf8", maxBuffer: 1 << 26 })
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file));

for (const [kind, paths] of Map.groupBy(files, kindOf)) {
  const texts = paths.map((path) => readFileSync(join(root, path), "utf8"));
  const lines = texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  const tokens = texts.reduce((sum, text, index) => sum + tokensIn(text, paths[index] ?? ""), 0);
  console.log(`${kind}: ${paths.length} files, ${lines} lines, ${tokens} tokens`);
}

function kindOf(path: string): string {
  return kinds.find(([, pattern]) => pattern.test(path))?.[0] ?? "other";
}

/** The leaves of the syntax tree, as the scanner alone can't tell a regular expression or a template from a division. */
function tokensIn(text: string, path: string): number {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  let tokens = 0;
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    tokens += children.length === 0 && node.kind !== ts.SyntaxKind.SyntaxList ? 1 : 0;
    children.filter(({ kind }) => kind !== ts.SyntaxKind.JSDoc).forEach(visit);
  };
  visit(source);
  return tokens;
}
