import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@weir/base";
import { flagsOf, int, type LoadedCommand, text } from "@weir/cli";
import { freePortFrom } from "@weir/demo";
import type { ConsoleSettings } from "../../src/program/settings.ts";
import { StartError } from "../../src/program/start-error.ts";
import { runDemo } from "../demo/demo.ts";
import type { SharedFlags } from "../flags.ts";
import { pageFolder } from "../page-folder.ts";
import { StopRequest } from "../stopping.ts";
import type { ConsoleTerminal } from "../terminal.ts";

/** `weir-console demo` */
export function demoCommand(shared: SharedFlags, { env, out, stop }: ConsoleTerminal): LoadedCommand {
  const port = int("port", {
    default: 8080,
    usage: "Port for the console, or for the search for a free one",
  });
  const page = text("page-folder", {
    usage: "Folder with the files of the page, if it isn't the one that comes with the program",
  });
  return {
    use: "demo",
    long: `Runs a console with two small clusters connected, to try things with. It only needs Node.js and git.

The clusters run inside fluxd, and are gone when the demo ends. So is the data of the console, unless --data-folder names a folder for it.`,
    flags: flagsOf({ port, page }),
    run: async (args) => {
      if (args.length > 0) {
        throw new StartError("the demo takes no arguments: weir-console demo");
      }
      const kept = shared.dataFolder.value;
      const folder = kept === "" ? mkdtempSync(join(tmpdir(), "weir-console-data-")) : kept;
      try {
        await runDemo(
          {
            settings: settingsFor(folder, await freePortFrom(port.value)),
            programs: join(import.meta.dirname, ".."),
            pageFolder: page.value || pageFolder(),
            log: silentLogger,
            env,
            say: (line) => out(`${line}\n`),
          },
          stop,
        );
        if (!(stop.signal.reason instanceof StopRequest)) {
          throw stop.signal.reason;
        }
        out("\nStopped.\n");
      } finally {
        if (kept === "") {
          rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
        }
      }
    },
  };
}

/** For this machine only. */
function settingsFor(folder: string, port: number): ConsoleSettings {
  return {
    database: { kind: "folder", path: join(folder, "database") },
    keys: { file: join(folder, "secret.key"), isOwn: true },
    listen: `127.0.0.1:${port}`,
    listenMetrics: "",
    publicUrl: new URL(`http://localhost:${port}`),
    trustedProxies: [],
    notifyPrivateHosts: [],
    hasPasswords: true,
    goneAfterMs: 120_000,
    retention: { events: 90, jobs: 90, notifications: 90, audit: 90, removedInstances: 1 },
  };
}
