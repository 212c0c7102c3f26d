import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder, until } from "@weir/testing";
import { TestBrowser } from "../../support/console/test-browser.ts";
import { processesWith } from "../../support/demo.ts";
import { programs } from "../../support/programs.ts";

describe("the console's demo", () => {
  it("connects two clusters, lets an administrator in, and leaves nothing behind", async () => {
    using folder = new TempFolder();
    const [page, temp] = ["page", "tmp"].map((name) => join(folder.path, name)) as [string, string];
    [page, temp].forEach((each) => mkdirSync(each));
    writeFileSync(join(page, "index.html"), "<!doctype html><title>Weir</title>");
    const args = ["demo", `--page-folder=${page}`, "--port=8480"];
    const demo = spawn(join(programs, "weir-console"), args, {
      env: { PATH: process.env["PATH"], HOME: folder.path, TMPDIR: temp },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(demo, "close");
    let output = "";
    [demo.stdout, demo.stderr].forEach((stream) =>
      stream.on("data", (chunk: Buffer) => (output += chunk.toString())),
    );

    const link = await until("the link", () => {
      assert.equal(demo.exitCode, null, output);
      return /^ +(http:\S+)#(\S+)$/m.exec(output) ?? undefined;
    });
    const browser = new TestBrowser(link[1] ?? "");
    const body = { token: link[2], login: "ada", password: "a horse with a battery that is correct" };
    await browser.ask("acceptInvitation", { body });
    const { rows } = await browser.ask("instances");
    const staging = rows.find(({ name }) => name === "staging");
    const { rows: web } = await browser.ask("workloads", { query: { q: "web" } });
    demo.kill("SIGINT");
    await ended;

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
    assert.deepEqual([demo.exitCode, readdirSync(temp), processesWith(temp)], [0, [], []], output);
  });
});
