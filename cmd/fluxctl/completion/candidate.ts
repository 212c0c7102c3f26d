/** Something that may stand next on a command line, and what it is. */
export interface Candidate {
  readonly word: string;
  readonly what: string;
}

/** What a shell is offered. */
export interface Offer {
  readonly candidates: readonly Candidate[];
  /** The words are not whole yet: no blank is to follow. */
  readonly isOpen?: boolean;
  /** Files may stand there. */
  readonly takesFiles?: boolean;
}

/** Nothing that fluxctl knows of. */
export const noOffer: Offer = { candidates: [] };

/** Words that need no explanation. */
export function bareWords(words: readonly string[]): readonly Candidate[] {
  return words.map((word) => ({ word, what: "" }));
}

/** cobra's numbers for what a shell is to do with candidates. */
const noSpace = 2;
const noFiles = 4;

/**
 * An offer as shells read it, after cobra, whose scripts people may have installed: a line for each candidate that goes
 * on from `begun`, with a tab and what it is where `describes`, and a last one that says what to do with them.
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
