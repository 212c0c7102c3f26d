import {
  type Clock,
  type Environment,
  generatorLimits,
  isTimeout,
  messageOf,
  printDuration,
} from "@weir/base";
import { type GroupEnd, type GroupResult, runInGroup } from "@weir/base/node";
import type { ShellCommand } from "./config-file.ts";

/** Where and how a command is run. */
export interface ShellSettings {
  readonly workingDir: string;
  readonly environment: Environment;
  /** How long a command without a limit of its own may take, in milliseconds. */
  readonly timeout: number;
  readonly clock: Clock;
  /** Bytes that it may print, where others have printed some of what is allowed. */
  readonly mostOutput?: number;
}

/** What a command printed, and why it failed; undefined where it did not. */
export interface ShellResult extends Pick<GroupResult, "stdout" | "stderr" | "both"> {
  readonly failure: string | undefined;
}

/** Gives a command to the shell. It is ended, with all that it started, at its time limit. Never rejects. */
export async function runInShell(
  { command, timeout: own }: ShellCommand,
  { workingDir, environment, timeout: standard, clock, mostOutput = generatorLimits.output }: ShellSettings,
  signal: AbortSignal,
): Promise<ShellResult> {
  const timeout = own ?? standard;
  const { end, ...output } = await runInGroup(
    {
      program: "/bin/sh",
      args: ["-c", command],
      cwd: workingDir,
      env: environment,
      clock,
      timeout,
      mostOutput,
    },
    signal,
  );
  return { ...output, failure: failureOf(end, { timeout, mostOutput }, signal) };
}

/** In the words of Go, which users of Flux know, with what they do not say. */
function failureOf(
  end: GroupEnd,
  { timeout, mostOutput }: { readonly timeout: number; readonly mostOutput: number },
  signal: AbortSignal,
): string | undefined {
  switch (end.kind) {
    case "exit":
      return end.code === 0 ? undefined : `exit status ${end.code}`;
    case "signal":
      return `signal: ${end.signal}`;
    case "timeout":
      return `context deadline exceeded: it was ended after ${printDuration(timeout)}`;
    case "flood":
      return `it printed more than ${mostOutput} bytes and was ended`;
    case "aborted":
      return isTimeout(signal)
        ? "context deadline exceeded: it was ended because the time for a whole sync (--sync-timeout) was over"
        : "context was unexpectedly cancelled: context canceled";
    case "unstarted":
      return messageOf(end.error);
  }
}
