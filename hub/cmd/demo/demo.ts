/** The demo: a console on an embedded database, with two clusters connected, each with a fluxd of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Environment, type Logger, systemClock } from "@weir/base";
import { type DemoDaemon, DemoRegistry, until } from "@weir/demo";
import { consoleAnswers } from "../../src/program/handlers.ts";
import type { ConsoleParts } from "../../src/program/parts.ts";
import { serveConsole } from "../../src/program/serve.ts";
import type { ConsoleSettings } from "../../src/program/settings.ts";
import { demoClusters, startDemoCluster } from "./cluster.ts";
import { openInstance, syncedInstances } from "./instance.ts";

/** What the demo is started with. */
export interface DemoOptions {
  readonly settings: ConsoleSettings;
  /** With fluxd and fluxctl. */
  readonly programs: string;
  readonly pageFolder: string;
  readonly log: Logger;
  readonly env: Environment;
  readonly say: (line: string) => void;
}

/** The images in the registry of the demo, oldest first. */
const images = [
  "web:1.0.0",
  "web:1.1.0",
  "web:1.2.0",
  "cart:3.1.0",
  "cart:3.2.0",
  "cart-migrate:3.1.0",
  "report:0.4.2",
  "collector:2.6.0",
  "collector:2.7.1",
];

/** Runs until it's told to stop; nothing of the clusters is left then. Rejects with what keeps it from starting. */
export async function runDemo(options: DemoOptions, stop: AbortController): Promise<void> {
  const { settings, pageFolder, log, env, say } = options;
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "weir-console-demo-"));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const registry = await DemoRegistry.start(join(folder, "registry"), images);
  cleanup.defer(() => registry.stop());
  say("Starting the console …");
  let showing: Promise<void> | undefined;
  const show = async (parts: ConsoleParts): Promise<void> => {
    say("Starting two clusters, each with a fluxd that connects to the console …");
    for (const cluster of demoClusters) {
      const token = await openInstance(parts, cluster);
      const connectTo = localAddress(parts.connectTo);
      const firstPort = (daemons.at(-1)?.port ?? 3029) + 1;
      const where = { programs: options.programs, folder, registryHost: registry.host };
      const daemon = await startDemoCluster(cluster, { ...where, connectTo, token, firstPort });
      cleanup.defer(() => daemon.stop().then(() => undefined));
      daemons.push(daemon);
    }
    await until("both clusters to be connected", () => areConnected(parts, daemons), stop.signal);
    await tellHowToGetIn(parts, settings.publicUrl, say);
  };
  const daemons: DemoDaemon[] = [];
  const begun = (parts: ConsoleParts): void => {
    showing = show(parts).catch((error: unknown) => {
      if (!stop.signal.aborted) {
        stop.abort(error);
      }
    });
  };
  const context = { clock: systemClock, log, env, pageFolder, answers: consoleAnswers, begun };
  try {
    await serveConsole(settings, context, stop.signal);
  } finally {
    await showing;
  }
}

async function areConnected(parts: ConsoleParts, daemons: readonly DemoDaemon[]): Promise<boolean> {
  daemons.forEach((daemon) => daemon.assertRunning());
  return (await syncedInstances(parts)).length >= demoClusters.length;
}

async function tellHowToGetIn(
  { access }: ConsoleParts,
  publicUrl: URL,
  say: (line: string) => void,
): Promise<void> {
  const link = await access.invitations.firstAdministrator();
  say("");
  say(`The console is at ${publicUrl.href}`);
  say(
    link === undefined
      ? "Log in with the account that you made in it before."
      : `Open this link to choose a name and a password: it works once, and makes you administrator.\n\n  ${new URL(link.path, publicUrl).href}`,
  );
  say("\nPress Ctrl-C to stop.");
}

/** Names such as localhost may be another machine's address for IPv6. */
function localAddress(connectTo: string): string {
  return connectTo.replace("//localhost:", "//127.0.0.1:");
}
