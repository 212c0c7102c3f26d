import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks, TempFolder } from "@weir/testing";
import { buildConsolePage } from "../../../../scripts/build/console-page.ts";
import { ConsoleStandIn } from "../../support/console-stand-in.ts";
import { makeFleet } from "../../support/fleet.ts";
import { PageBrowser } from "../../support/page-browser.ts";
import { screensOf } from "../../support/page-screens.ts";
import { picturesFolder, pictureTime, screenshots, takeScreenshot } from "../../support/screenshots.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const folder = join(root, picturesFolder);

/** With this variable, the pictures of the documentation are written anew. */
const writes = process.env["WEIR_WRITE_SCREENSHOTS"] === "1";

/** The most that all pictures may have together, in bytes. */
const largest = 1_500_000;

describe("the pictures in the documentation of the console", () => {
  it("are there, small, and shown", () => {
    const text = readFileSync(join(root, "hub", "docs", "console.md"), "utf8");
    const files = readdirSync(folder).toSorted();
    const size = files.reduce((sum, file) => sum + readFileSync(join(folder, file)).length, 0);

    assert.deepEqual(files, screenshots.map(({ name }) => `${name}.png`).toSorted());
    assert.deepEqual(
      files.filter((file) => !text.includes(`](../../docs/images/console/${file})`)),
      [],
    );
    assert.ok(size <= largest, `${size} bytes`);
  });

  describe("taken by the tests", { skip: lacks("Chromium") }, () => {
    const stack = new AsyncDisposableStack();
    let server: ConsoleStandIn;
    let browser: PageBrowser;

    before(async () => {
      const built = stack.use(new TempFolder()).path;
      await buildConsolePage({ root, out: join(built, "page") });
      server = stack.use(
        await ConsoleStandIn.start(join(built, "page"), makeFleet(pictureTime, 600, { isTame: true })),
      );
      browser = stack.use(await PageBrowser.start(server.url));
    });
    after(() => stack.disposeAsync());

    for (const screenshot of screenshots) {
      const { name, screen } = screenshot;
      it(`show ${name}`, async () => {
        const picture = await takeScreenshot(browser, screensOf(server.fleet)[screen] ?? "", screenshot);

        if (writes) {
          mkdirSync(folder, { recursive: true });
          writeFileSync(join(folder, `${name}.png`), picture);
        }
        assert.deepEqual(browser.errors, []);
      });
    }
  });
});
