import { decodeBase64 } from "./base64.ts";
import { FormatError } from "./errors.ts";
import { findKeyType } from "./key-types.ts";
import { type PublicKey, parsePublicKey } from "./public-key.ts";
import { endOfOptions } from "./quotes.ts";
import { noOptions, parseSignerOptions, type SignerOptions } from "./signer-options.ts";

/** Who may sign with a key: a line of a file with allowed signers. */
export interface AllowedSigner {
  /** The line of the file, counted from 1. */
  readonly line: number;
  /** A list of patterns, with one character for each byte. */
  readonly principals: string;
  readonly key: PublicKey;
  readonly options: SignerOptions;
}

/** What a line is: a signer, nothing (it's empty, or a comment), or a mistake. */
export type LineOutcome =
  | { readonly kind: "signer"; readonly signer: Omit<AllowedSigner, "line"> }
  | { readonly kind: "nothing" }
  | { readonly kind: "invalid"; readonly reason: string };

/** Reads a line as ssh-keygen does. No reason quotes the line, which may be from a file that was confused with this one. */
export function parseAllowedSigner(line: string): LineOutcome {
  const text = line.replace(/^[ \t\r\n]+/, "");
  if (text === "" || text.startsWith("#")) {
    return { kind: "nothing" };
  }
  const split = splitPrincipals(text);
  if (split === undefined) {
    return invalid("write the principals, then options if there are any, the type of key, and the key");
  }
  const { principals, rest } = split;
  const key = readKey(rest);
  switch (key.kind) {
    case "key":
      return { kind: "signer", signer: { principals, key: key.key, options: noOptions } };
    case "invalid":
      return invalid(key.reason);
    case "no key":
      return parseOptionsAndKey(principals, rest);
  }
}

interface Split {
  readonly principals: string;
  readonly rest: string;
}

/** The principals end at white space, or where double quotes around them or around their end close. */
function splitPrincipals(text: string): Split | undefined {
  const found = /^([^ \t\r\n"]*)(?:"([^"]*)"|[ \t\r\n])[ \t\r\n]*(.*)$/s.exec(text);
  const [, start = "", inQuotes = "", rest = ""] = found ?? [];
  return found === null ? undefined : { principals: start + inQuotes, rest };
}

function parseOptionsAndKey(principals: string, text: string): LineOutcome {
  const end = endOfOptions(text);
  if (end === undefined) {
    return invalid("close the double quotes in its options");
  }
  const key = readKey(text.slice(end).replace(/^[ \t]+/, ""));
  if (key.kind !== "key") {
    return invalid(
      key.kind === "invalid"
        ? key.reason
        : "after the principals and options, write a type of key and a key, as in a .pub file",
    );
  }
  const outcome = parseSignerOptions(text.slice(0, end));
  if (outcome.kind === "invalid") {
    return invalid(outcome.reason);
  }
  return { kind: "signer", signer: { principals, key: key.key, options: outcome.options } };
}

type KeyOutcome =
  | { readonly kind: "key"; readonly key: PublicKey }
  | { readonly kind: "no key" }
  | { readonly kind: "invalid"; readonly reason: string };

/** Reads a type of key, and a key in base64. What follows is a comment. */
function readKey(text: string): KeyOutcome {
  const [, name = "", base64 = ""] = /^([^ \t]*)[ \t]+([^ \t]*)/.exec(text) ?? [];
  const named = findKeyType(name);
  if (named === undefined || base64 === "") {
    return { kind: "no key" };
  }
  try {
    const key = parsePublicKey(decodeBase64(base64));
    const fits =
      key.plain.type.name === named.type.name && (key.certificate !== undefined) === named.certificate;
    return fits
      ? { kind: "key", key }
      : { kind: "invalid", reason: "the key is of another type than the one before it" };
  } catch (error) {
    if (error instanceof FormatError) {
      return { kind: "invalid", reason: `copy the key again from its .pub file: ${error.message}` };
    }
    throw error;
  }
}

function invalid(reason: string): LineOutcome {
  return { kind: "invalid", reason };
}
