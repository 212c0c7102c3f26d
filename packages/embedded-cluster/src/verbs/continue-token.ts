import { messageOf } from "@weir/base";
import { parseJson } from "../text/parse-json.ts";
import { numberAt, stringAt, type TreeNode } from "../tree.ts";

/** The version of the form of tokens. */
const known = "meta.k8s.io/v1";

/** Where the next page of a list begins. */
export interface ContinueToken {
  /** The state that is listed; below zero for "as it is by then". */
  readonly revision: number;
  /** The first key of the page, or one just before it. */
  readonly start: string;
}

/** The token as clients carry it, in the API server's form. */
export function printContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: known, rv: revision, start })).toString("base64url");
}

/** Reads a token, or tells what is wrong with it. */
export function parseContinue(token: string): ContinueToken | { readonly fault: string } {
  const value = parseText(Buffer.from(token, "base64url").toString());
  if ("fault" in value) {
    return { fault: value.fault };
  }
  const version = stringAt(value.read, "v");
  if (version !== known) {
    return { fault: `server does not recognize this encoded version ${JSON.stringify(version)}` };
  }
  const revision = numberAt(value.read, "rv") ?? 0;
  if (revision === 0) {
    return { fault: `incorrect encoded start resourceVersion (version ${known})` };
  }
  const start = stringAt(value.read, "start");
  return start === "" ? { fault: `encoded start key empty (version ${known})` } : { revision, start };
}

function parseText(text: string): { readonly read: TreeNode } | { readonly fault: string } {
  try {
    return { read: parseJson(text).value };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}
