import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { lacks, TempFolder } from "@weir/testing";
import { findProgram } from "@weir/toolchain";
import { type Browser, chromium, type Page } from "playwright-core";
import { docsStep } from "../../dev/release/docs/step.ts";
import { releaseContext } from "../support/release-context.ts";
import { StaticServer } from "../support/static-server.ts";

const run = promisify(execFile);

describe("the documentation of a release", () => {
  const folder = new TempFolder();
  let made: readonly string[] = [];
  let site = "";
  let pages: ReadonlyMap<string, string> = new Map();

  before(async () => {
    made = await release("first");
    await run("tar", ["-xf", made[0] ?? "", "-C", folder.path]);
    site = join(folder.path, "weir-docs-1.2.3");
    pages = new Map(
      globSync("**/*.html", { cwd: site }).map((file) => [file, readFileSync(join(site, file), "utf8")]),
    );
  });
  after(() => folder[Symbol.dispose]());

  /** Runs the step; resolves to what it made. */
  function release(name: string): Promise<readonly string[]> {
    return docsStep(releaseContext(join(folder.path, name)));
  }

  it("is one archive, with a page for each file", () => {
    assert.deepEqual(made, [join(folder.path, "first", "out", "docs", "weir-docs-1.2.3.tar.gz")]);
    for (const page of [
      "index.html",
      "fluxd.html",
      "troubleshooting.html",
      "faq.html",
      "examples/helm.html",
    ]) {
      assert.ok(pages.has(page), page);
    }
    const licenses = readFileSync(join(site, "licenses.txt"), "utf8");
    assert.match(licenses, /^mermaid \d+\.\d+\.\d+ \(MIT\)\n\nThe MIT License/m);
    // What the bundle of mermaid contains.
    for (const name of ["d3-shape", "cytoscape", "dompurify", "katex"]) {
      assert.match(licenses, new RegExp(`^${name} \\d\\S+ \\(`, "m"));
    }
  });

  it("is the same to the byte if a slow machine builds it again, at another distance from its generator", async () => {
    const before = process.env["NODE_OPTIONS"];
    process.env["NODE_OPTIONS"] = `--import=${join(import.meta.dirname, "../support/slow-clock.mjs")}`;
    const [again = ""] = await release(join("deeper", "second")).finally(() => {
      if (before === undefined) {
        delete process.env["NODE_OPTIONS"];
      } else {
        process.env["NODE_OPTIONS"] = before;
      }
    });

    assert.equal(digest(again), digest(made[0] ?? ""));
  });

  it("has no link to a page or heading that doesn't exist", () => {
    const ids = new Map([...pages].map(([file, html]) => [file, new Set(valuesOf(html, "id"))]));

    const dead = [...pages].flatMap(([file, html]) =>
      valuesOf(html, "href")
        .filter((href) => !/^[a-z]+:/.test(href) && !isAlive(file, href))
        .map((href) => `${file}: ${href}`),
    );

    assert.deepEqual([...new Set(dead)], []);

    function isAlive(file: string, href: string): boolean {
      const [path = "", anchor = ""] = href.split("#", 2);
      const target = path === "" ? file : fileOf(file, path);
      const known = ids.get(target);
      return known === undefined
        ? globSync(target, { cwd: site }).length === 1
        : anchor === "" || known.has(decodeURIComponent(anchor));
    }
  });

  describe("in a browser", { skip: lacks("Chromium") }, () => {
    let server: StaticServer;
    let browser: Browser;
    let page: Page;
    const elsewhere: string[] = [];
    const errors: string[] = [];

    before(async () => {
      server = await StaticServer.start(site);
      browser = await chromium.launch({
        executablePath: findProgram("chromium") ?? "",
        args: ["--no-sandbox"],
      });
      page = await browser.newPage();
      page.on("request", (request) => {
        if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) {
          elsewhere.push(request.url());
        }
      });
      page.on("pageerror", (error) => errors.push(error.message));
      page.setDefaultTimeout(60_000);
    });
    after(async () => {
      await browser.close();
      await server[Symbol.asyncDispose]();
    });

    it("finds the section of a flag, and opens it", async () => {
      await page.goto(`${server.url}/`);
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("searchbox").fill("--git-poll-interval");
      await page.locator(".results a.result", { hasText: "git-poll-interval" }).first().click();

      await page.waitForURL(/fluxd\.html#git-poll-interval$/);
      assert.equal(await page.locator("h3#git-poll-interval").count(), 1);
    });

    it("finds a message that somebody pasted", async () => {
      await page.goto(`${server.url}/faq.html`);
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("searchbox").fill("configured branch does not exist");
      await page.locator(".results a.result").first().waitFor();
      const results = await page.locator(".results a.result").allInnerTexts();

      assert.match(results.slice(0, 3).join("\n"), /configured branch/);
    });

    it("draws diagrams", async () => {
      await page.goto(`${server.url}/engine.html`);

      await page.locator(".diagram svg").first().waitFor();
      assert.equal(await page.locator(".diagram").count(), 2);
    });

    it("is never wider than a phone", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      for (const path of ["", "fluxd.html", "differences.html", "engine.html"]) {
        await page.goto(`${server.url}/${path}`);
        const width = await page.evaluate("document.documentElement.scrollWidth");

        assert.ok(Number(width) <= 390, `${path}: ${String(width)}`);
      }
    });

    it("asks no other host for anything, and has no errors", () => {
      assert.deepEqual(elsewhere, []);
      assert.deepEqual(errors, []);
    });
  });
});

function valuesOf(html: string, attribute: string): readonly string[] {
  return [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'"),
  );
}

/** The file of the site behind the path of a link. */
function fileOf(from: string, path: string): string {
  const joined = posix.join(path.startsWith("/") ? "" : posix.dirname(from), path).replace(/^\//, "");
  return joined === "" || joined.endsWith("/") ? `${joined}index.html` : joined;
}

function digest(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
