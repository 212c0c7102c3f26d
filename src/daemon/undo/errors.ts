import { FluxError } from "@weir/flux";

/** The error for a commit that isn't undone; `advice` says what a person can do. Nothing was changed. */
export function undoRefused(message: string, advice: readonly string[] = [], cause?: unknown): FluxError {
  const help = [`Nothing was undone: ${message}.`, "", ...advice].join("\n");
  return new FluxError("user", message, `${help.trimEnd()}\n`, { cause });
}
