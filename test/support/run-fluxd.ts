import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "@weir/base/node";
import { programs } from "./programs.ts";

const program = join(programs, "fluxd");

/** What a fluxd that ended by itself has said. */
export interface FluxdRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line of the log, without time and caller. */
  readonly lastLine: string;
  /** What it left in its folder for temporary files. */
  readonly leftovers: readonly string[];
}

/** Long enough for any start, in milliseconds; a fluxd that still runs then counts as a failure. */
const limit = 120_000;

/** Runs the built fluxd until it ends by itself, with nothing but PATH, an empty HOME and `env` around it. */
export async function runFluxd(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<FluxdRun> {
  const home = await mkdtemp(join(tmpdir(), "weir-fluxd-"));
  const temp = join(home, "tmp");
  await mkdir(temp);
  const surroundings = { PATH: process.env["PATH"], HOME: home, TMPDIR: temp, ...env };
  try {
    const ended = await execute(args, surroundings);
    return { ...ended, leftovers: await readdir(temp) };
  } finally {
    await removeFolder(home);
  }
}

/** A log line without what differs from run to run. */
export function withoutTime(line: string): string {
  return line.replace(/^ts=\S+ caller=\S+ /, "");
}

function execute(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Omit<FluxdRun, "leftovers">> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, timeout: limit, killSignal: "SIGKILL" }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code !== "number") {
        reject(new Error(`fluxd did not end by itself; it said:\n${stdout}${stderr}`, { cause: error }));
        return;
      }
      resolve({ code, stdout, stderr, lastLine: withoutTime(stderr.trimEnd().split("\n").at(-1) ?? "") });
    });
  });
}
