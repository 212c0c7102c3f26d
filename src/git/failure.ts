import { GitError, type GitFailure } from "./errors.ts";

/** The raw data about a git command that failed. */
export interface Ending {
  readonly args: readonly string[];
  readonly doing: string | undefined;
  /** undefined if git didn't exit by itself or couldn't be started. */
  readonly exitCode: number | undefined;
  /** The end of its standard output and standard error, in the order in which they were printed. */
  readonly output: string;
  readonly failure: GitFailure;
  /** Why git couldn't be started, or was stopped. */
  readonly detail?: string | undefined;
  /** The error that stopped it. */
  readonly cause?: unknown;
}

/** The error for a failed command: Flux v1's text, with `redact` applied to all of it. */
export function gitError(ending: Ending, redact: (text: string) => string): GitError {
  const { failure, exitCode, doing } = ending;
  const what = describe(ending);
  const message = redact(doing === undefined ? what : `${doing}: ${what}`);
  const details = { failure, output: redact(ending.output), ...(exitCode === undefined ? {} : { exitCode }) };
  return new GitError(message, details, ending.cause === undefined ? {} : { cause: ending.cause });
}

function describe({ failure, args, output, exitCode, detail }: Ending): string {
  const command = `git [${args.join(" ")}]`;
  switch (failure) {
    case "timeout":
      return `running git command: ${command}: context deadline exceeded`;
    case "aborted":
      return `context was unexpectedly cancelled when running git command: ${command}: context canceled`;
    case "flood":
      return `running git command: ${command}: stopped: ${detail ?? "too much output"}`;
    case "unrunnable":
      return `cannot run git: ${detail ?? "make sure that it's installed and on PATH"}`;
    case "exit":
      return output === "" ? exitText(exitCode) : withFullOutput(output);
  }
}

function exitText(exitCode: number | undefined): string {
  return exitCode === undefined ? "ended by a signal" : `exit status ${exitCode}`;
}

function withFullOutput(output: string): string {
  const line = errorLine(output);
  return line === "" ? output : `${line}, full output:\n ${output}`;
}

/** The first line of git's output that describes the error; "" if there's none. */
function errorLine(output: string): string {
  const lines = output.split("\n").map((line) => line.replace(/\r$/, ""));
  const found = lines.find((line) => /^(ERROR )?fatal: |^error:/.test(line)) ?? "";
  return found.startsWith("error:") ? found.replace(/^error: /, "") : found;
}
