import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { freePort, StartedProgram, TempFolder } from "@weir/testing";
import { consoleProgram } from "../../../test/support/programs.ts";

const folder = join(import.meta.dirname, "../../../deploy/console");

/** The built program, started as a file of `deploy` says. */
interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it's said to be ready. */
  readonly url: string;
}

/** Runs the program until it's ready, calls back, and stops it as the file says; resolves to what it has said. */
async function runUntilReady({ args, env, url }: Launch, whenReady: () => Promise<void>): Promise<string> {
  await using console = new StartedProgram(consoleProgram, args, {
    // Node.js is on the path of services, too.
    env: { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, ...env },
    cwd: "/",
  });
  await console.until("the console to be ready", async () => (await fetch(`${url}/readyz`)).status === 200);
  await whenReady();
  const { code } = await console.end("SIGTERM");
  assert.equal(code, 0, console.output);
  return console.output;
}

function writePage(place: string): string {
  const page = join(place, "page");
  mkdirSync(page);
  writeFileSync(join(page, "index.html"), "<!doctype html><title>Weir</title>");
  return page;
}

describe("the console, started as its systemd unit says", () => {
  it("runs with the environment of the guide, and keeps its data in the folder that systemd makes", async () => {
    using temp = new TempFolder();
    const unit = readFileSync(join(folder, "weir-console.service"), "utf8");
    const [, ...args] = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? "").split(" ");
    const [, state = ""] = /^StateDirectory=(.*)$/m.exec(unit) ?? [];
    const port = await freePort();
    const directory = join(temp.path, state);
    mkdirSync(directory, { mode: 0o700 });

    const output = await runUntilReady(
      {
        args,
        env: {
          STATE_DIRECTORY: directory,
          WEIR_CONSOLE_PUBLIC_URL: "https://weir.example.com",
          WEIR_CONSOLE_LISTEN: `127.0.0.1:${port}`,
          WEIR_CONSOLE_TRUSTED_PROXIES: "127.0.0.1",
          WEIR_CONSOLE_PAGE_FOLDER: writePage(temp.path),
        },
        url: `http://127.0.0.1:${port}`,
      },
      async () => {
        const { headers } = await fetch(`http://127.0.0.1:${port}/`);
        assert.match(headers.get("strict-transport-security") ?? "", /max-age/);
      },
    );

    assert.match(output, /https:\/\/weir\.example\.com\/invitation#/);
    assert.notDeepEqual(readdirSync(directory), []);
  });
});
