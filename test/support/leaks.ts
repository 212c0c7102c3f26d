import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fluxd } from "./fluxd.ts";

/** The command lines of all processes of this machine. */
export async function commandLines(): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(lines)).map((line) => line.replaceAll("\0", " "));
}

/** The files below a folder whose content has something to it. */
export async function filesWith(
  folder: string,
  isFound: (content: string) => boolean,
): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const held = await Promise.all(files.map(async (file) => isFound(await readFile(file, "latin1"))));
  return files.filter((_file, i) => held[i]);
}

const readable = [
  "/v6/identity.pub",
  "/v6/sync?ref=master",
  "/v11/services",
  "/v12/diff",
  "/v12/events",
  "/v12/last-sync",
  "/v12/tree",
  "/v12/verification",
];

/** What fluxd tells: its log, its metrics, and what can be read from its API. */
export async function toldBy(fluxd: Fluxd): Promise<string> {
  const urls = [`${fluxd.baseUrl}/metrics`, ...readable.map((path) => `${fluxd.apiUrl}${path}`)];
  const answers = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
  return [fluxd.log, fluxd.stdout, ...answers].join("\n");
}
