/** Makes the comparisons of `fluxctl diff` that fluxctl itself makes. */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { Deadline, messageOf, printDuration } from "@weir/base";
import type { SyncSettings } from "@weir/flux/api";
import type { ComparisonReport } from "../../../src/switching/comparison/report.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { fillFromEnvironment } from "../flags/globals.ts";
import type { DiffMode } from "./mode.ts";

/** What flags say about a comparison without fluxd; fields are missing if their flag isn't given. */
export interface CompareOptions {
  readonly settings: Partial<SyncSettings>;
  readonly runGenerators: boolean;
}

/** Compares a folder with the cluster, by the settings of fluxd and with the person's own permissions. */
export async function compareLocal(
  { dir }: DiffMode & { readonly kind: "local" },
  { runGenerators }: CompareOptions,
  context: CommandContext,
): Promise<ComparisonReport> {
  const client = await context.connect();
  return await withDeadline(context, async (timeout, signal) => {
    const settings = await requireWeir("`fluxctl diff --local`", client.syncSettings(signal));
    const credentials = await ownCredentials(context, signal);
    const { diffLocal } = await import("../../../src/switching/comparison/local-diff.ts");
    const request = { dir, credentials, settings, runGenerators, timeout, env: context.env };
    return await diffLocal(request, signal);
  });
}

/** Compares a folder without a cluster. */
export async function compareOffline(
  { dir, against, snapshot: file }: DiffMode & { readonly kind: "offline" },
  { settings, runGenerators }: CompareOptions,
  context: CommandContext,
): Promise<ComparisonReport> {
  const { diffOffline, offlineSettings, parseSnapshot } = await import(
    "../../../src/switching/comparison/offline.ts"
  );
  const snapshot = file === "" ? undefined : parseSnapshot(await readText(file), file);
  const own = against === "" ? snapshot?.settings : undefined;
  return await withDeadline(context, (timeout, signal) =>
    diffOffline(
      {
        dir,
        against,
        snapshot,
        settings: { ...offlineSettings, ...own, ...settings },
        runGenerators,
        timeout,
        env: context.env,
      },
      signal,
    ),
  );
}

/** Saves a snapshot of the cluster; resolves to sentences about it. */
export async function saveSnapshot(file: string, context: CommandContext): Promise<readonly string[]> {
  const client = await context.connect();
  return await withDeadline(context, async (_timeout, signal) => {
    const settings = await requireWeir("`fluxctl diff --save-snapshot`", client.syncSettings(signal));
    const credentials = await ownCredentials(context, signal);
    const { takeSnapshot } = await import("../../../src/switching/comparison/local-diff.ts");
    const { text, objects, notes } = await takeSnapshot({ credentials, settings }, signal);
    await writeWhole(file, text);
    return [`Saved ${objects} objects in ${file}; the values of Secrets are hashed.`, ...notes];
  });
}

async function ownCredentials({ globals, env }: CommandContext, signal: AbortSignal) {
  const { loadCredentials } = await import("../daemon/forward.ts");
  return await loadCredentials(globals.context.value, env, signal);
}

async function withDeadline<T>(
  context: CommandContext,
  work: (timeout: number, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { globals, clock, signal } = context;
  fillFromEnvironment(globals, { ...context, err: () => undefined });
  const timeout = globals.timeout.value;
  const tooLate = (): Error =>
    new Error(`this took longer than ${printDuration(timeout)}; use --timeout to allow more time`);
  using deadline = new Deadline(clock, timeout, signal, tooLate);
  return await work(timeout, deadline.signal);
}

async function readText(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((error: unknown) => {
    throw new UsageError(`cannot read ${file}: ${messageOf(error)}`);
  });
}

/** Nobody else may read it, and it never appears half written. */
async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: "wx" });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new UsageError(`cannot write ${file}: ${messageOf(error)}`);
  }
}
