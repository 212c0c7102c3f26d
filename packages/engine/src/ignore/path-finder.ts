import type { JsonValue } from "@weir/base";
import type { JsonPath } from "./json-path.ts";

/** Finds the paths that jq expressions select. */
export interface PathFinder {
  /** For each document, the paths that the expression selects. Rejects with JqError. */
  find(
    expression: string,
    documents: readonly JsonValue[],
    signal: AbortSignal,
  ): Promise<readonly (readonly JsonPath[])[]>;
}
