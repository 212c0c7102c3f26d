/** A possible next word on a command line, and its description. */
export interface Candidate {
  readonly word: string;
  readonly what: string;
}

/** The candidates for a shell. */
export interface Offer {
  readonly candidates: readonly Candidate[];
  /** The words are incomplete: don't add a space after them. */
  readonly isOpen?: boolean;
  /** File names are valid too. */
  readonly takesFiles?: boolean;
}

/** No candidates. */
export const noOffer: Offer = { candidates: [] };

/** Candidates without a description. */
export function bareWords(words: readonly string[]): readonly Candidate[] {
  return words.map((word) => ({ word, what: "" }));
}

/** cobra's codes that tell a shell how to handle candidates. */
const noSpace = 2;
const noFiles = 4;

/**
 * Prints an offer in cobra's format, because people may have installed its scripts: a line for each candidate
 * that begins with `begun`, with a tab and the description if `describes` is true, and a last line with the
 * code.
 */
export function printOffer(
  { candidates, isOpen, takesFiles }: Offer,
  begun: string,
  describes: boolean,
): string {
  const lines = candidates
    .filter(({ word }) => word.startsWith(begun))
    .map(({ word, what }) => (describes && what !== "" ? `${word}\t${what}` : word));
  const directive = (isOpen === true ? noSpace : 0) + (takesFiles === true ? 0 : noFiles);
  return [...lines, `:${directive}`].map((line) => `${line}\n`).join("");
}
