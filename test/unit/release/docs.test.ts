import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { readMarkdown } from "../../../dev/release/docs/markdown.ts";
import { readNavigation } from "../../../dev/release/docs/navigation.ts";
import { collectPages, pageOf, withSiteLinks } from "../../../dev/release/docs/pages.ts";

const repository: Readonly<Record<string, string>> = {
  "README.md": "# Weir\n\n[flags](docs/fluxd.md#git-url)\n",
  "docs/README.md": dedent(`
    # Documentation

    ## Start

    - [Overview](../README.md), in short
    - **[Examples](../examples)**

    ## Elsewhere

    Nothing.
  `),
  "docs/fluxd.md": "# fluxd\n\n## git-url\n",
  "docs/lost.md": "# Lost\n",
  "examples/README.md": dedent(`
    # Examples

    [code](../src/main.ts#L3), [itself](#examples), [web](https://example.com), \`[not](a.md)\`
    and [the list](../docs/README.md)

        [code](../docs/fluxd.md)
  `),
};
const pages = collectPages((path) => repository[path]);

describe("the anchors of Markdown", () => {
  it("are those of Git hosts", () => {
    const { anchors, title } = readMarkdown("# A `b` & <c>\n\n## Same\n\n## Same\n\n### `--x: …`\n");

    assert.deepEqual([...anchors], ["a-b--c", "same", "same-1", "--x-"]);
    assert.equal(title, "A b & <c>");
  });
});

describe("the pictures of the site", () => {
  it("are where the pages show them", () => {
    const source = "hub/docs/console.md";
    const page = { source, page: "console.md", text: "![a list](../../docs/images/console/list.png)\n" };
    const readme = { source: "README.md", page: "readme.md", text: "![a list](docs/images/list.png)\n" };

    assert.equal(withSiteLinks(page, [page], undefined), "![a list](./images/console/list.png)\n");
    assert.equal(withSiteLinks(readme, [readme], undefined), "![a list](./images/list.png)\n");
  });
});

describe("the pages of the site", () => {
  it("are those that links reach from the list of pages", () => {
    assert.deepEqual(
      pages.map(({ source, page }) => [source, page]),
      [
        ["examples/README.md", "examples.md"],
        ["docs/fluxd.md", "fluxd.md"],
        ["docs/README.md", "index.md"],
        ["README.md", "readme.md"],
      ],
    );
  });

  it("are named after their files and folders", () => {
    const sources = ["docs/decisions/README.md", "docs/api/engine.api.md", "CONTRIBUTING.md", "README.md"];

    assert.deepEqual(sources.map(pageOf), [
      "decisions.md",
      "api/engine.api.md",
      "contributing.md",
      "readme.md",
    ]);
  });

  it("link to each other, and to the repository if its address is known", () => {
    const page = pages.find(({ source }) => source === "examples/README.md");
    assert.ok(page);

    const known = withSiteLinks(page, pages, "https://git.example.com/weir");
    const unknown = withSiteLinks(page, pages, undefined);

    assert.equal(
      known,
      dedent(`
        # Examples

        [code](https://git.example.com/weir/blob/HEAD/src/main.ts#L3), [itself](#examples), [web](https://example.com), \`[not](a.md)\`
        and [the list](./index.md)

            [code](../docs/fluxd.md)
      `),
    );
    assert.ok(unknown.includes("\ncode, [itself](#examples)"), unknown);
  });
});

describe("the navigation of the site", () => {
  it("has the chapters and links of the list of pages", () => {
    assert.deepEqual(readNavigation(repository["docs/README.md"] ?? ""), [
      {
        text: "Start",
        items: [
          { text: "Overview", link: "/readme" },
          { text: "Examples", link: "/examples" },
        ],
      },
    ]);
  });
});
