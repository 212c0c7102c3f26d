import { type AnyFlag, findFlag, findShorthand } from "@weir/cli";

/** What can be completed at a position, and the incomplete text. */
export type Place =
  | { readonly kind: "flag"; readonly begun: string }
  | { readonly kind: "value"; readonly flag: AnyFlag; readonly begun: string }
  | { readonly kind: "word"; readonly begun: string };

/** The position of the last of `words`, given the words before it. */
export function placeOf(words: readonly string[], flags: readonly AnyFlag[]): Place {
  const begun = words.at(-1) ?? "";
  if (words.slice(0, -1).includes("--")) {
    return { kind: "word", begun };
  }
  const waiting = waitingFlag(words.at(-2) ?? "", flags);
  if (waiting !== undefined) {
    return { kind: "value", flag: waiting, begun };
  }
  const [, name, value] = /^--([^=]+)=(.*)$/s.exec(begun) ?? [];
  const flag = name === undefined ? undefined : findFlag(flags, name);
  if (flag !== undefined) {
    return { kind: "value", flag, begun: value ?? "" };
  }
  return { kind: begun.startsWith("-") ? "flag" : "word", begun };
}

/** The flag whose value is the next word; undefined if the next word isn't a value. */
function waitingFlag(word: string, flags: readonly AnyFlag[]): AnyFlag | undefined {
  if (!/^-./.test(word) || word === "--" || word.includes("=")) {
    return undefined;
  }
  const flag = word.startsWith("--") ? findFlag(flags, word.slice(2)) : findShorthand(flags, word.slice(-1));
  return flag?.type.bareText === undefined ? flag : undefined;
}
