import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { lacks, StartedProgram, TempFolder } from "@weir/testing";
import { buildConsolePage } from "../../../../scripts/build/console-page.ts";
import { processesWith } from "../../../../test/support/demo.ts";
import { consoleProgram } from "../../../../test/support/programs.ts";
import { PageBrowser } from "../../support/page-browser.ts";
import { TestBrowser } from "../../support/test-browser.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");

describe("the console's demo", () => {
  it("connects two clusters, lets an administrator in, and leaves nothing behind", async () => {
    using folder = new TempFolder();
    const [page, temp] = ["page", "tmp"].map((name) => join(folder.path, name)) as [string, string];
    [page, temp].forEach((each) => mkdirSync(each));
    writeFileSync(join(page, "index.html"), "<!doctype html><title>Weir</title>");
    const args = ["demo", `--page-folder=${page}`, "--port=8480"];
    const env = { PATH: process.env["PATH"], HOME: folder.path, TMPDIR: temp };
    await using demo = new StartedProgram(consoleProgram, args, { env });

    const link = await demo.until("the link", () => /^ +(http:\S+)#(\S+)$/m.exec(demo.output) ?? undefined);
    const browser = new TestBrowser(link[1] ?? "");
    const body = { token: link[2], login: "ada", password: "a horse with a battery that is correct" };
    await browser.ask("acceptInvitation", { body });
    const { rows } = await browser.ask("instances");
    const staging = rows.find(({ name }) => name === "staging");
    const { rows: web } = await browser.ask("workloads", { query: { q: "web" } });
    const { code } = await demo.end("SIGINT");

    assert.deepEqual(
      rows.map(({ name, connected }) => [name, connected]),
      [
        ["production", true],
        ["staging", true],
      ],
    );
    assert.deepEqual(
      web
        .filter(({ id }) => id === "shop:deployment/web")
        .map(({ instance, containers }) => [
          instance.id === staging?.id,
          containers[0]?.image.replace(/^[^/]+\//, ""),
        ])
        .toSorted(),
      [
        [false, "web:1.0.0"],
        [true, "web:1.1.0"],
      ],
    );
    assert.deepEqual([code, readdirSync(temp), processesWith(temp)], [0, [], []], demo.output);
  });

  it("leads from the link that it prints to both clusters in the page", {
    skip: lacks("Chromium"),
  }, async () => {
    using folder = new TempFolder();
    const [page, temp] = ["page", "tmp"].map((name) => join(folder.path, name)) as [string, string];
    mkdirSync(temp);
    await buildConsolePage({ root, out: page });
    const args = ["demo", `--page-folder=${page}`, "--port=8490"];
    const env = { PATH: process.env["PATH"], HOME: folder.path, TMPDIR: temp };
    await using demo = new StartedProgram(consoleProgram, args, { env });

    const [, origin = "", path = ""] = await demo.until(
      "the link",
      () => /^ +(http:\/\/[^/]+)(\/\S+)$/m.exec(demo.stdout) ?? undefined,
    );
    await using browser = await PageBrowser.start(origin);
    const window = await browser.open(path);
    await window.getByLabel("Name to log in with").fill("ada");
    await window.getByLabel("Password").fill("a horse with a battery that is correct");
    await window.getByRole("button", { name: "Set the password and log in" }).click();
    for (const name of ["production", "staging"]) {
      const row = window.getByRole("row").filter({ has: window.getByRole("link", { name, exact: true }) });
      await row.getByText("Synced").waitFor();
    }
    await window.getByRole("link", { name: "staging", exact: true }).click();
    await window.getByText("Connected", { exact: true }).first().waitFor();
    await window.getByRole("link", { name: "Show all" }).click();
    await window.getByRole("link", { name: "web", exact: true }).click();
    await window.getByRole("heading", { level: 1, name: "web" }).waitFor();
    const { code } = await demo.end("SIGINT");

    assert.deepEqual([code, browser.errors, browser.elsewhere], [0, [], []], demo.output);
  });
});
