import { flagsOf, parseArguments } from "@weir/cli";
import { declareFluxdFlags, type FluxdFlags } from "../../fluxd-flags/flags.ts";
import type { DaemonPod } from "./daemon-pod.ts";

/** fluxd's command line, parsed as fluxd does. */
export interface DaemonArguments {
  readonly flags: FluxdFlags;
  /** Why it can't be parsed; then some of the flags have their defaults. "" if it can. */
  readonly error: string;
  /** The words before the flags, if the Deployment names a program; empty for the image's entrypoint. */
  readonly program: readonly string[];
}

/** Parses fluxd's arguments, and expands variables as Kubernetes does. */
export function readDaemonArguments({ command, args, env }: DaemonPod): DaemonArguments {
  const words = [...command, ...args].map((word) => expand(word, env));
  const start = command.length === 0 ? 0 : words.findIndex((word) => word.startsWith("-") && word !== "--");
  const end = start === -1 ? words.length : start;
  const flags = declareFluxdFlags("/root");
  const { error } = parseArguments(words.slice(end), flagsOf(flags));
  return { flags, error: error?.message ?? "", program: words.slice(0, end) };
}

/** Replaces `$(NAME)` with the variable if the Deployment contains its value; `$$(NAME)` becomes `$(NAME)`. */
function expand(word: string, env: ReadonlyMap<string, string>): string {
  return word.replaceAll(/\$\$|\$\(([A-Za-z_.][\w.-]*)\)/g, (found: string, name?: string) =>
    name === undefined ? "$" : (env.get(name) ?? found),
  );
}
