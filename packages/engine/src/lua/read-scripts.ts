import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LuaScripts } from "./health-rules.ts";

const ownScripts = fileURLToPath(new URL("../../health-scripts", import.meta.url));

/**
 * Reads every health.lua below a folder that is laid out like Argo CD's resource_customizations:
 * group/Kind/health.lua; by default, the scripts that come with this package. Rejects if a file can't be read, or
 * as soon as the signal is aborted.
 */
export async function readLuaScripts(folder = ownScripts, signal?: AbortSignal): Promise<LuaScripts> {
  const files = await readdir(folder, { recursive: true });
  const scripts = files.filter((file) => /(^|[\\/])health\.lua$/.test(file)).sort();
  const sources: [string, string][] = [];
  for (const file of scripts) {
    const source = await readFile(join(folder, file), { encoding: "utf8", signal });
    sources.push([dirname(file).replaceAll("\\", "/"), source]);
  }
  return new Map(sources);
}
