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
import { missingToolAdvice } from "./missing-tool.ts";

/** Where and how to run a command. */
export interface ShellSettings {
  readonly workingDir: string;
  readonly environment: Environment;
  /** The time limit for a command without its own, in milliseconds. */
  readonly timeout: number;
  readonly clock: Clock;
  /** How many bytes it can print, if earlier commands have used up part of the limit. */
  readonly mostOutput?: number;
}

/** The output of a command, and why it failed; undefined if it didn't. */
export interface ShellResult extends Pick<GroupResult, "stdout" | "stderr" | "both"> {
  readonly failure: string | undefined;
}

/**
 * Runs a command in the shell. At its time limit, it's stopped together with everything that it started. Never rejects.
 */
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
  return { ...output, failure: failureOf(end, { timeout, mostOutput, stderr: output.stderr }, signal) };
}

/** Go's messages, which users of Flux know, with additional details. */
function failureOf(
  end: GroupEnd,
  {
    timeout,
    mostOutput,
    stderr,
  }: Pick<GroupResult, "stderr"> & { readonly timeout: number; readonly mostOutput: number },
  signal: AbortSignal,
): string | undefined {
  switch (end.kind) {
    case "exit":
      return end.code === 0 ? undefined : exitStatus(end.code, stderr);
    case "signal":
      return `signal: ${end.signal}`;
    case "timeout":
      return `context deadline exceeded: stopped after ${printDuration(timeout)}`;
    case "flood":
      return `stopped because it printed more than ${mostOutput} bytes`;
    case "aborted":
      return isTimeout(signal)
        ? "context deadline exceeded: stopped because the time limit for the whole sync (--sync-timeout) was reached"
        : "context was unexpectedly cancelled: context canceled";
    case "unstarted":
      return messageOf(end.error);
  }
}

function exitStatus(code: number, stderr: string): string {
  const advice = missingToolAdvice(code, stderr);
  return advice === undefined ? `exit status ${code}` : `exit status ${code}: ${advice}`;
}
