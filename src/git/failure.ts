import { GitError, type GitFailure } from "./errors.ts";

/** A git command that did not end well, before it is put into words. */
export interface Ending {
  readonly args: readonly string[];
  readonly doing: string | undefined;
  /** undefined where git did not end by itself, or could not be run. */
  readonly exitCode: number | undefined;
  /** The end of what it printed on standard output and standard error, in the order in which that came. */
  readonly output: string;
  readonly failure: GitFailure;
  /** Why git could not be run, or was ended. */
  readonly detail?: string | undefined;
  /** Why it was cut short. */
  readonly cause?: unknown;
}

/** The error for a command that failed: Flux v1's text, with `redact` applied to all of it. */
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
      return `running git command: ${command}: it was ended: ${detail ?? "it printed too much"}`;
    case "unrunnable":
      return `git cannot be run: ${detail ?? "is it installed, and on PATH?"}`;
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

/** The first line in which git says what is wrong; "" where there is none. */
function errorLine(output: string): string {
  const lines = output.split("\n").map((line) => line.replace(/\r$/, ""));
  const found = lines.find((line) => /^(ERROR )?fatal: |^error:/.test(line)) ?? "";
  return found.startsWith("error:") ? found.replace(/^error: /, "") : found;
}
