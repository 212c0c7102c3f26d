import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type MarkdownLinks, readMarkdown } from "../../dev/release/docs/markdown.ts";
import { collectPages, resolveTarget } from "../../dev/release/docs/pages.ts";

const root = join(import.meta.dirname, "../..");
const exclude = (name: string): boolean => ["node_modules", "dist", "fixtures"].includes(name);
const files = globSync("**/*.md", { cwd: root, exclude });
const texts = new Map(files.map((file) => [file, readMarkdown(readFileSync(join(root, file), "utf8"))]));

describe("links in Markdown", () => {
  it("lead to files that exist, and to headings in them", () => {
    const dead = [...texts].flatMap(([file, { targets }]) =>
      targets.filter((target) => !isAlive(file, target)).map((target) => `${file}: ${target}`),
    );

    assert.ok(texts.size > 30, `${texts.size} files`);
    assert.deepEqual(dead, []);
  });

  it("reach each page of docs/ from docs/README.md", () => {
    const pages = collectPages((path) =>
      existsSync(join(root, path)) && statSync(join(root, path)).isFile()
        ? readFileSync(join(root, path), "utf8")
        : undefined,
    );

    const reached = new Set(pages.map(({ source }) => source));

    assert.deepEqual(
      files.filter((file) => file.startsWith("docs/") && !reached.has(file)),
      [],
    );
  });
});

function isAlive(file: string, target: string): boolean {
  const path = resolveTarget(file, target);
  const [, anchor] = target.split("#", 2);
  if (path === undefined) {
    return true;
  }
  return existsSync(join(root, path)) && (anchor === undefined || hasAnchor(texts.get(path), anchor));
}

function hasAnchor(page: MarkdownLinks | undefined, anchor: string): boolean {
  return page?.anchors.has(decodeURIComponent(anchor)) === true;
}
