import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { lacks, TempFolder, until } from "@weir/testing";
import type { Page } from "playwright-core";
import { buildConsolePage } from "../../../../scripts/build/console-page.ts";
import { ConsoleStandIn } from "../../support/console-stand-in.ts";
import { PageBrowser, seriousFindings, settle } from "../../support/page-browser.ts";
import { screensOf } from "../../support/page-screens.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");

/** The most that all of the page may have, compressed, in bytes. */
const largest = 200 * 1024;

describe("the page of the console", () => {
  const folder = new TempFolder();
  const built = join(folder.path, "page");

  before(() => buildConsolePage({ root, out: built }));
  after(() => folder[Symbol.dispose]());

  it("is small: all of it, compressed", () => {
    const sizes = filesOf(built)
      .filter((file) => !file.endsWith(".txt"))
      .map((file) => brotliCompressSync(readFileSync(join(built, file))).length);

    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= largest, `${total} bytes`);
  });

  it("is the same to the byte when it's built from another folder", async () => {
    const other = join(folder.path, "elsewhere", "copy");
    mkdirSync(join(other, "hub"), { recursive: true });
    cpSync(join(root, "hub", "page"), join(other, "hub", "page"), { recursive: true });
    cpSync(join(root, "hub", "src"), join(other, "hub", "src"), { recursive: true });
    for (const file of ["package.json", "tsconfig.json"]) {
      cpSync(join(root, file), join(other, file));
    }
    symlinkSync(join(root, "node_modules"), join(other, "node_modules"));
    const out = join(folder.path, "again");
    await buildConsolePage({ root: other, out });

    assert.deepEqual(digestsOf(out), digestsOf(built));
  });

  it("has the licenses of the packages that are in it", () => {
    const text = readFileSync(join(built, "licenses.txt"), "utf8");

    for (const name of ["preact", "@tanstack/react-query", "wouter"]) {
      assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
    }
  });

  describe("in a browser", { skip: lacks("Chromium") }, () => {
    let server: ConsoleStandIn;
    let browser: PageBrowser;
    let screens: ReturnType<typeof screensOf>;

    before(async () => {
      server = await ConsoleStandIn.start(built);
      browser = await PageBrowser.start(server.url);
      screens = screensOf(server.fleet);
    });
    after(async () => {
      await browser[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    for (const colorScheme of ["light", "dark"] as const) {
      it(`opens every screen in ${colorScheme} colors, without serious findings of axe`, async () => {
        const page = await browser.open("/", { colorScheme });
        const findings: string[] = [];
        for (const path of Object.values(screens)) {
          await browser.show(page, path);
          findings.push(
            ...(await seriousFindings(page, colorScheme === "dark" ? ["color-contrast"] : undefined)),
          );
        }
        await page.context().close();

        assert.deepEqual(findings, []);
      });
    }

    it("is never wider than a phone", async () => {
      const page = await browser.open("/", { viewport: { width: 390, height: 844 } });
      const tooWide: string[] = [];
      for (const path of Object.values(screens)) {
        await browser.show(page, path);
        const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
        if (width > 390) {
          tooWide.push(`${path}: ${width}`);
        }
      }
      await browser.show(page, "/");
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "Workloads" }).click();
      await page.waitForURL(/\/workloads$/);
      await page.context().close();

      assert.deepEqual(tooWide, []);
    });

    it("needs little for its first screen", async () => {
      const before = server.sent;
      const page = await browser.open("/");
      await page.getByRole("link", { name: "production-eu" }).waitFor();
      await page.context().close();

      assert.ok(server.sent - before <= largest, `${server.sent - before} bytes`);
    });

    it("asks for everything once while it opens a list", async () => {
      const page = await browser.openBlank();
      const asked: string[] = [];
      page.on("request", (request) => {
        const [, operation] = /\/api\/console\/v1\/([\w-]+)/.exec(request.url()) ?? [];
        asked.push(...(operation === undefined ? [] : [operation]));
      });
      // While the stream is on its way, nothing asks again.
      await page.route("**/api/console/v1/stream", () => undefined);
      const everywhere = ["instances", "jobs", "session", "stream"];
      for (const [path, others] of [
        ["/", ["instances"]],
        ["/instances?sort=-name", ["instances"]],
        ["/workloads?q=api&kind=deployment", ["workload-facets", "workloads"]],
        ["/timeline?type=sync", ["events", "workload-facets"]],
      ] as const) {
        await browser.show(page, path);
        await until("the stream to be asked for", () => asked.includes("stream"));

        assert.deepEqual(asked.splice(0).toSorted(), [...others, ...everywhere].toSorted());
      }
      await page.context().close();
    });

    it("keeps what can be chosen current as long as it's shown", async () => {
      const page = await browser.open("/timeline");
      await page.getByText("Live", { exact: true }).waitFor();
      const change = { type: "instance", instanceId: "i-1" } as const;
      let [choices, others] = [0, 0];
      page.on("request", (request) => (choices += request.url().includes("/instances?limit=200") ? 1 : 0));
      page.on(
        "response",
        (response) => (others += /\/instances\?(?!limit=200)/.test(response.url()) ? 1 : 0),
      );

      await page.getByRole("button", { name: "Instance" }).click();
      const choice = page.getByRole("checkbox", { name: "production-eu" });
      await choice.waitFor();
      server.publish(change);
      await until("the choices to be asked for again", () => choices > 1);
      await page.keyboard.press("Escape");
      await choice.waitFor({ state: "detached" });
      const before = { choices, others };
      server.publish(change);
      await until("other instances to be asked for again", () => others > before.others);
      await page.context().close();

      assert.equal(choices, before.choices);
    });

    it("shows hostile names as text", async () => {
      const hostile = server.fleet.workloads.find(({ name }) => name.includes("<img"));
      assert.ok(hostile !== undefined);
      const page = await browser.open(`/workloads?q=onerror`);

      await page.getByRole("link", { name: "onerror" }).click();
      await page.getByRole("heading", { level: 1, name: "<script>" }).waitFor();

      assert.equal(
        new URL(page.url()).pathname,
        `/instances/${hostile.instance.id}/workloads/${encodeURIComponent(hostile.id)}`,
      );
      assert.match(await page.title(), /^<img src=x/);
      assert.equal(await page.locator("img").count(), 0);
      await page.context().close();
    });

    it("goes to the next page of a list, and back", async () => {
      const page = await browser.open("/workloads");
      const first = await page.locator("tbody tr").first().innerText();

      await page.getByRole("button", { name: "Next page" }).click();
      await page.waitForURL(/cursor=/);
      await page.locator(".list[aria-busy=false]").first().waitFor({ state: "attached" });
      assert.notEqual(await page.locator("tbody tr").first().innerText(), first);
      await page.goBack();
      await until(
        "the first page",
        async () => (await page.locator("tbody tr").first().innerText()) === first,
      );
      await page.context().close();
    });

    it("moves through a list with the arrow keys", async () => {
      const page = await browser.open("/");

      await page.getByRole("link", { name: "production-eu" }).focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/instances\/instance-2$/);
      await page.context().close();
    });

    it("leads from the first press of Tab past the navigation", async () => {
      const page = await browser.open("/");

      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");

      assert.equal(await page.evaluate("document.activeElement.id"), "content");
      await page.context().close();
    });

    it("shows what happened after its first answers were read and before it heard of changes", async () => {
      const page = await browser.openBlank();
      const streams = Promise.withResolvers<undefined>();
      await page.route("**/stream", async (route) => {
        await streams.promise;
        await route.continue();
      });
      await browser.show(page, "/timeline");
      const [known] = server.fleet.events;
      assert.ok(known !== undefined);
      await page.getByText(known.message).first().waitFor();

      const at = new Date().toISOString();
      server.answers.happen({ ...known, id: 999_999, at, message: "Meanwhile" });
      streams.resolve(undefined);

      await page.getByText("Meanwhile").waitFor();
      await page.context().close();
    });

    it("shows what happens as it does, and says when it can't", async () => {
      const page = await browser.open("/timeline");
      await page.getByText("Live", { exact: true }).waitFor();
      const [known] = server.fleet.events;
      assert.ok(known !== undefined);

      const event = { ...known, id: 1_000_000, at: new Date().toISOString(), message: "Something new" };
      server.answers.happen(event);
      server.publish({ type: "event", event });
      await page.getByText("Something new").waitFor();
      server.stream(false);
      await page.getByText("Not live").waitFor();
      server.stream(true);
      await page.getByText("Live", { exact: true }).waitFor();
      await page.context().close();
    });

    it("says what failed, and tries again", async () => {
      // When the stream opens, the page asks for everything once more by itself.
      server.stream(false);
      server.answers.fail("jobs", true);
      const page = await browser.open("/jobs");

      await page.getByRole("alert").getByText("The database can't be reached.").waitFor();
      server.answers.fail("jobs", false);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("link", { name: "Release checkout-api" }).waitFor();
      server.stream(true);
      await page.context().close();
    });

    it("has a heading also where there's nothing to show, as on every screen", async () => {
      server.answers.fail("job", true);
      const page = await browser.open("/jobs/gone");

      await page.getByRole("alert").getByText("The database can't be reached.").waitFor();
      await cannotBeShown(page);
      server.answers.fail("job", false);
      await page.context().close();
    });

    it("shows an error in a screen in its place, until another one is opened", async () => {
      const page = await browser.openBlank();
      await page.route("**/api/console/v1/jobs?*", (route) =>
        route.fulfill({ json: { rows: [{}], next: null } }),
      );
      await browser.show(page, "/jobs");
      await page.getByRole("alert").getByText("Something went wrong").waitFor();
      await cannotBeShown(page);
      await page.getByRole("link", { name: "Timeline", exact: true }).click();

      await page.getByRole("heading", { name: "Timeline" }).waitFor();
      assert.match(browser.errors.splice(0).join("\n"), /\/jobs: /);
      await page.context().close();
    });

    it("asks for the login as soon as the session has ended, and leaves what is typed there alone", async () => {
      const page = await browser.open("/timeline");

      server.answers.logIn(false);
      server.stream(false);
      await page.getByRole("heading", { name: "Log in" }).waitFor();
      await page.getByLabel("Password").fill("half of it");
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      server.stream(true);
      await page.getByLabel("Name").fill("robin");

      assert.equal(await page.getByLabel("Password").inputValue(), "half of it");
      server.answers.logIn(true);
      await page.context().close();
    });

    it("keeps the colors that were chosen", async () => {
      const page = await browser.open("/", { colorScheme: "light" });
      const back = (): Promise<unknown> =>
        page.evaluate("getComputedStyle(document.body.parentElement).backgroundColor");
      const light = await back();

      await page.getByLabel("Colors").selectOption("dark");
      await page.reload();
      await settle(page);

      assert.notEqual(await back(), light);
      await page.context().close();
    });

    it("kept to the contract, asked no other host, and had no errors", () => {
      assert.deepEqual(server.breaches, []);
      assert.deepEqual(browser.elsewhere, []);
      assert.deepEqual(browser.errors, []);
    });
  });
});

async function cannotBeShown(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "This can't be shown" }).waitFor();
  assert.deepEqual(await seriousFindings(page), []);
}

function filesOf(folder: string): readonly string[] {
  return globSync("**/*", { cwd: folder })
    .filter((file) => statSync(join(folder, file)).isFile())
    .toSorted();
}

function digestsOf(folder: string): readonly (readonly [string, string])[] {
  return filesOf(folder).map((file) => [
    file,
    createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex"),
  ]);
}
