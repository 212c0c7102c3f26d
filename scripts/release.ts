/**
 * `npm run release -- --version X`: checks the code, and builds all that is published of version X, from the commit
 * that is checked out. Nothing is published, tagged, or committed. See docs/releasing.md.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "@weir/base";
import { describeMade } from "../dev/release/made.ts";
import { readFacts, readHead } from "../dev/release/read-facts.ts";
import { refusals } from "../dev/release/refusals.ts";
import { copyCommit } from "../dev/release/working-copy.ts";

const root = join(import.meta.dirname, "..");
const releases = join(root, "dist", "release");

const usage = `Usage: npm run release -- --version X

Builds all that is published of version X from the commit that is checked out, in dist/release/X.

  --version X   the version, such as 1.2.3 or 1.2.3-rc.1
  --key FILE    a private key of cosign to sign with, whose password is in COSIGN_PASSWORD (default: not signed)
`;

interface Arguments {
  readonly version: string;
  readonly key: string | undefined;
}

async function main(args: readonly string[]): Promise<number> {
  const asked = readArguments(args);
  if (typeof asked === "string") {
    console.error(`${asked}${usage}`);
    return asked === "" ? 0 : 2;
  }
  const out = join(releases, asked.version);
  const refused = refusals(readFacts(root, asked.version, relative(root, out)));
  for (const refusal of refused) {
    console.error(`Error: ${refusal}`);
  }
  if (refused.length > 0) {
    return 1;
  }
  return buildApart(asked, out);
}

/** Where it's called wrongly: what is wrong. Where help is asked for: "". */
function readArguments(args: readonly string[]): Arguments | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        version: { type: "string" },
        key: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help === true) {
      return "";
    }
    const { version, key } = values;
    return version === undefined
      ? "Error: --version is missing\n\n"
      : { version, key: key === undefined ? undefined : resolve(key) };
  } catch (error) {
    return `Error: ${messageOf(error)}\n\n`;
  }
}

/** Builds in a copy of the commit. Only a release that is whole gets to its place. */
async function buildApart({ version, key }: Arguments, out: string): Promise<number> {
  const { commit, sourceDate } = readHead(root);
  mkdirSync(releases, { recursive: true });
  const work = mkdtempSync(join(releases, ".work-"));
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    const copy = join(work, "source");
    await copyCommit({ root, commit, copy, signal: interrupted.signal });
    const unfinished = join(work, "out");
    mkdirSync(unfinished);
    const options = { version, commit, sourceDate, out: unfinished, work: join(work, "work"), key };
    const code = await run(join(copy, "dev/release/build.ts"), JSON.stringify(options), interrupted.signal);
    if (code === 0) {
      renameSync(unfinished, out);
      console.log(describeMade(out, relative(root, out)).join("\n"));
    }
    return code;
  } catch (error) {
    console.error(
      interrupted.signal.aborted ? "Interrupted: nothing was released" : `Error: ${messageOf(error)}`,
    );
    return interrupted.signal.aborted ? 130 : 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Resolves to its exit code. An interrupted one cleans up first. */
function run(script: string, argument: string, signal: AbortSignal): Promise<number> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [script, argument], {
      stdio: "inherit",
      cwd: join(script, "../../.."),
    });
    const stop = (): boolean => child.kill("SIGTERM");
    signal.addEventListener("abort", stop, { once: true });
    child.once("error", reject);
    child.once("close", (code) => {
      signal.removeEventListener("abort", stop);
      done(code ?? 1);
    });
  });
}

process.exitCode = await main(process.argv.slice(2));
