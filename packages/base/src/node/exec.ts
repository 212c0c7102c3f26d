import { execFile } from "node:child_process";

/** What a program printed. */
export interface ExecOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program ended that did not succeed. */
export interface ProgramFailure {
  readonly program: string;
  /** Undefined where it could not be started, or was ended. */
  readonly exitCode: number | undefined;
  readonly stderr: string;
}

/** A program ended badly, or could not be started. Its arguments are not told, since they may hold secrets. */
export class ExecError extends Error {
  override readonly name = "ExecError";
  readonly program: string;
  readonly exitCode: number | undefined;
  readonly stderr: string;

  constructor({ program, exitCode, stderr }: ProgramFailure, options?: ErrorOptions) {
    const how = exitCode === undefined ? "could not be run or was ended" : `exit status ${exitCode}`;
    super(`${program}: ${how}${stderr === "" ? "" : `: ${stderr.trim()}`}`, options);
    this.program = program;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** Runs a program without a shell and collects its output. Rejects with ExecError; ends it when aborted. */
export function exec(program: string, args: readonly string[], signal?: AbortSignal): Promise<ExecOutput> {
  return new Promise((resolve, reject) => {
    const options = { encoding: "utf8", maxBuffer: 1 << 20, ...(signal ? { signal } : {}) } as const;
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error) {
        const code = typeof error.code === "number" ? error.code : undefined;
        reject(new ExecError({ program, exitCode: code, stderr }, { cause: error }));
      } else {
        resolve({ stdout, stderr });
      }
    });
  });
}
