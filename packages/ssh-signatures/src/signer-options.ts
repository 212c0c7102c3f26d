import { endOfQuotes } from "./quotes.ts";
import { parseTimestamp } from "./timestamp.ts";

/** What a line with allowed signers says besides principals and key. */
export interface SignerOptions {
  /** The key signs certificates, and no commits. */
  readonly certAuthority: boolean;
  /** A list of patterns; undefined if the key may sign in all namespaces. */
  readonly namespaces: string | undefined;
  /** Seconds since 1970; undefined if there is no limit. */
  readonly validAfter: number | undefined;
  /** Seconds since 1970; the key is still valid in this second. undefined if there is no limit. */
  readonly validBefore: number | undefined;
}

/** Options, or why they can't be used. */
export type OptionsOutcome =
  | { readonly kind: "options"; readonly options: SignerOptions }
  | { readonly kind: "invalid"; readonly reason: string };

/** No options. */
export const noOptions: SignerOptions = {
  certAuthority: false,
  namespaces: undefined,
  validAfter: undefined,
  validBefore: undefined,
};

type ValueName = "namespaces" | "valid-after" | "valid-before";
type Values = Partial<Record<ValueName, string>>;

const flag = /cert-authority/iy;
const assignment = /(namespaces|valid-after|valid-before)=/iy;

/** Reads options, which are separated by commas, as ssh-keygen does. */
export function parseSignerOptions(text: string): OptionsOutcome {
  const values: Values = {};
  let certAuthority = false;
  let at = 0;
  while (at < text.length) {
    const name = match(assignment, text, at)?.[1]?.toLowerCase() as ValueName | undefined;
    if (match(flag, text, at) !== undefined) {
      certAuthority = true;
      at = flag.lastIndex;
    } else if (name !== undefined) {
      const end = text[assignment.lastIndex] === '"' ? endOfQuotes(text, assignment.lastIndex) : undefined;
      if (end === undefined) {
        return invalid(`write the value of ${name} in double quotes`);
      }
      if (values[name] !== undefined) {
        return invalid(`keep only one ${name}`);
      }
      values[name] = text.slice(assignment.lastIndex + 1, end - 1).replaceAll('\\"', '"');
      at = end;
    }
    if (at < text.length && text[at] !== ",") {
      return invalid("the only options are cert-authority, namespaces, valid-after, and valid-before");
    }
    if (at === text.length - 1) {
      return invalid("remove the comma after the last option");
    }
    at++;
  }
  return checkTimes(certAuthority, values);
}

function checkTimes(certAuthority: boolean, values: Values): OptionsOutcome {
  const after = values["valid-after"];
  const before = values["valid-before"];
  const validAfter = after === undefined ? undefined : parseTimestamp(after);
  const validBefore = before === undefined ? undefined : parseTimestamp(before);
  if (after !== undefined && validAfter === undefined) {
    return invalid(
      'write valid-after as "20241231", "202412312359", or "20241231235959", with Z after it for UTC',
    );
  }
  if (before !== undefined && validBefore === undefined) {
    return invalid(
      'write valid-before as "20241231", "202412312359", or "20241231235959", with Z after it for UTC',
    );
  }
  if (validAfter !== undefined && validBefore !== undefined && validBefore <= validAfter) {
    return invalid("valid-before must be later than valid-after");
  }
  return {
    kind: "options",
    options: { certAuthority, namespaces: values.namespaces, validAfter, validBefore },
  };
}

function invalid(reason: string): OptionsOutcome {
  return { kind: "invalid", reason };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
