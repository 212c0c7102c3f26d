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

const flag = "cert-authority";
const valueNames = ["namespaces", "valid-after", "valid-before"] as const;

type Values = Partial<Record<(typeof valueNames)[number], string>>;

/** Reads options, which are separated by commas, as ssh-keygen does. */
export function parseSignerOptions(text: string): OptionsOutcome {
  const values: Values = {};
  let certAuthority = false;
  let rest = text;
  while (rest !== "") {
    const start = rest.slice(0, 20).toLowerCase();
    const name = valueNames.find((one) => start.startsWith(`${one}=`));
    if (start.startsWith(flag)) {
      certAuthority = true;
      rest = rest.slice(flag.length);
    } else if (name !== undefined) {
      const value = readQuoted(rest.slice(name.length + 1));
      if (value === undefined) {
        return invalid(`write the value of ${name} in double quotes`);
      }
      if (values[name] !== undefined) {
        return invalid(`keep only one ${name}`);
      }
      values[name] = value.text;
      rest = value.rest;
    }
    if (rest === ",") {
      return invalid("remove the comma after the last option");
    }
    if (rest !== "" && !rest.startsWith(",")) {
      return invalid("the only options are cert-authority, namespaces, valid-after, and valid-before");
    }
    rest = rest.slice(1);
  }
  return checkTimes(certAuthority, values);
}

interface Quoted {
  readonly text: string;
  readonly rest: string;
}

function readQuoted(text: string): Quoted | undefined {
  const end = text.startsWith('"') ? endOfQuotes(text, 0) : undefined;
  if (end === undefined) {
    return undefined;
  }
  return { text: text.slice(1, end - 1).replaceAll('\\"', '"'), rest: text.slice(end) };
}

function checkTimes(certAuthority: boolean, values: Values): OptionsOutcome {
  const after = values["valid-after"];
  const before = values["valid-before"];
  const validAfter = after === undefined ? undefined : parseTimestamp(after);
  const validBefore = before === undefined ? undefined : parseTimestamp(before);
  if (after !== undefined && validAfter === undefined) {
    return invalid(timeRemedy("valid-after"));
  }
  if (before !== undefined && validBefore === undefined) {
    return invalid(timeRemedy("valid-before"));
  }
  if (validAfter !== undefined && validBefore !== undefined && validBefore <= validAfter) {
    return invalid("valid-before must be later than valid-after");
  }
  return {
    kind: "options",
    options: { certAuthority, namespaces: values.namespaces, validAfter, validBefore },
  };
}

function timeRemedy(name: string): string {
  return `write ${name} as "20241231", "202412312359", or "20241231235959", with Z after it for UTC`;
}

function invalid(reason: string): OptionsOutcome {
  return { kind: "invalid", reason };
}
