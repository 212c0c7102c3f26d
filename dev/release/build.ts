/**
 * What `npm run release` runs in its copy of the commit: `node dev/release/build.ts OPTIONS`, with BuildOptions as
 * JSON. Exits with 1 if a check or a step fails.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, toError } from "@weir/base";
import { cleanTree, passOnce } from "../../scripts/passed-checks.ts";
import { changelogEntry } from "./changelog.ts";
import { checks, runChecks } from "./checks.ts";
import type { ReleaseContext } from "./context.ts";
import { setVersion } from "./set-version.ts";
import { finalSteps, type NamedStep, stepsOfParts } from "./steps.ts";

const root = join(import.meta.dirname, "..", "..");

/** What of the context can be written down. */
export type BuildOptions = Omit<ReleaseContext, "say" | "signal" | "root">;

async function main([options = ""]: readonly string[]): Promise<number> {
  const stopped = new AbortController();
  const interrupted = new AbortController();
  const stop = (): void => {
    interrupted.abort();
    stopped.abort();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const context: ReleaseContext = {
    ...(JSON.parse(options) as BuildOptions),
    root,
    signal: stopped.signal,
    say: (line) => console.error(`release: ${line}`),
  };
  try {
    await release(context, stopped);
    return 0;
  } catch (error) {
    const { aborted } = interrupted.signal;
    console.error(
      aborted ? "Interrupted: nothing was released" : `Error: ${messageOf(error)}; nothing was released`,
    );
    return aborted ? 130 : 1;
  }
}

/** What fails first ends everything else. */
async function release(context: ReleaseContext, stopped: AbortController): Promise<void> {
  mkdirSync(context.work, { recursive: true });
  const tree = cleanTree(root);
  setVersion(root, context.version, new Date(context.sourceDate * 1000).toISOString().slice(0, 10));
  await runNode(["scripts/build.ts"], context.signal);
  await runNode(["scripts/console-page.ts"], context.signal);
  const endAll = (error: unknown): never => {
    stopped.abort();
    throw error;
  };
  const checked = checkCode(context, tree).catch(endAll);
  const built = inOrder(stepsOfParts, context).catch(endAll);
  // Both have ended before anything is removed; the one that failed by itself failed first.
  const outcomes = await Promise.allSettled([checked, built]);
  const failed = outcomes
    .filter((outcome) => outcome.status === "rejected")
    .map(({ reason }) => reason as unknown);
  const cause = failed.find((error) => !isAbort(error)) ?? failed[0];
  if (cause !== undefined) {
    throw toError(cause);
  }
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  writeFileSync(
    join(context.out, "release-notes.md"),
    `${changelogEntry(changelog, context.version) ?? ""}\n`,
  );
  await inOrder(finalSteps, context);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** It's the commit that passes: the version that was set changes nothing for what is remembered. */
function checkCode({ say, signal }: ReleaseContext, tree: string | undefined): Promise<void> {
  say(`checking ${checks.join(", ")}`);
  const check = (name: string): Promise<void> =>
    passOnce(name, tree, () => runNode(["scripts/test.ts", name], signal));
  return runChecks(checks, check, signal);
}

async function inOrder(steps: readonly NamedStep[], context: ReleaseContext): Promise<void> {
  for (const { name, step } of steps) {
    context.signal.throwIfAborted();
    const started = Date.now();
    await step(context).catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw new Error(`${name}: ${messageOf(error)}`, { cause: error });
    });
    context.say(`${name}: done (${((Date.now() - started) / 1000).toFixed(0)} s)`);
  }
}

/** Its output goes to stderr: stdout is for what was made. */
function runNode(args: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2], signal });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) {
        done();
      } else {
        reject(new Error(`node ${args.join(" ")} ended with ${String(code)}`));
      }
    });
  });
}

process.exitCode = await main(process.argv.slice(2));
