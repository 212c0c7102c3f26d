import { execFile } from "node:child_process";

/** The output of a program. */
export interface ExecOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program failed. */
export interface ProgramFailure {
  readonly program: string;
  /** Undefined if it couldn't be started, or was stopped. */
  readonly exitCode: number | undefined;
  readonly stderr: string;
}

/**
 * A program failed, or couldn't be started. The message doesn't contain the arguments, because they may include
 * secrets.
 */
export class ExecError extends Error {
  override readonly name = "ExecError";
  readonly program: string;
  readonly exitCode: number | undefined;
  readonly stderr: string;

  constructor({ program, exitCode, stderr }: ProgramFailure, options?: ErrorOptions) {
    const how = exitCode === undefined ? "cannot be started, or was stopped" : `exit status ${exitCode}`;
    super(`${program}: ${how}${stderr === "" ? "" : `: ${stderr.trim()}`}`, options);
    this.program = program;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** What a program gets besides its arguments. */
export interface ExecContext {
  /** Its standard input, which otherwise is empty. */
  readonly input?: Uint8Array;
  /** Its environment, which otherwise is our own. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program without a shell and collects its output. Rejects with ExecError; stops the program when aborted. */
export function exec(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
  { input, env }: ExecContext = {},
): Promise<ExecOutput> {
  return new Promise((resolve, reject) => {
    const options = {
      encoding: "utf8",
      maxBuffer: 1 << 20,
      ...(signal ? { signal } : {}),
      ...(env ? { env } : {}),
    } as const;
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error) {
        const code = typeof error.code === "number" ? error.code : undefined;
        reject(new ExecError({ program, exitCode: code, stderr }, { cause: error }));
      } else {
        resolve({ stdout, stderr });
      }
    });
    // A program may end without reading everything; how it ends says whether that's a failure.
    child.stdin?.on("error", () => undefined).end(input ?? "");
  });
}
