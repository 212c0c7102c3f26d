import { isTree, numberAt, stringAt } from "../tree.ts";

/** Where the next page of a list begins. */
export interface ContinueToken {
  /** The state that is listed; below zero for "as it is by then". */
  readonly revision: number;
  /** The first key of the page, or one just before it. */
  readonly start: string;
}

/** The token as clients carry it, in the API server's form. */
export function printContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start })).toString("base64url");
}

/** Reads a token; undefined where it is none of ours. */
export function parseContinue(token: string): ContinueToken | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString());
    if (!isTree(value) || value["v"] !== "meta.k8s.io/v1") {
      return undefined;
    }
    const revision = numberAt(value, "rv");
    const start = stringAt(value, "start");
    return revision === undefined || revision === 0 || start === "" ? undefined : { revision, start };
  } catch {
    return undefined;
  }
}
