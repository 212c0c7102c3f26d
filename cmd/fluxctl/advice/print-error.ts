import { FluxError } from "@weir/flux";
import type { GlobalFlags } from "../flags/globals.ts";
import type { Paint } from "../output/paint.ts";
import { adviceOn } from "./on-errors.ts";

/**
 * As Flux v1: an API error is printed as its help text, any other with a hint at --help. On a terminal, the
 * cause and the remedy follow.
 */
export function printError(error: Error, { path, globals, paint, isScreen }: ErrorPlace): string {
  const told = fluxErrorIn(error);
  const text = told
    ? `${paint.bad("== Error ==")}\n\n${told.advice}\n`
    : `${paint.bad("Error:")} ${error.message}\nRun '${path} --help' for usage.\n`;
  const below = isScreen ? adviceOn(error, globals) : [];
  return below.length === 0 ? text : `${text}\n${below.map((line) => `${line}\n`).join("")}`;
}

/** The command that failed, and where the error is shown. */
interface ErrorPlace {
  /** The command, as somebody would type it. */
  readonly path: string;
  readonly globals: GlobalFlags;
  readonly paint: Paint;
  readonly isScreen: boolean;
}

function fluxErrorIn(error: unknown): FluxError | undefined {
  if (error instanceof FluxError) {
    return error;
  }
  return error instanceof Error ? fluxErrorIn(error.cause) : undefined;
}
