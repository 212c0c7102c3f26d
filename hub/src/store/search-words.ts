import { type RawBuilder, sql } from "kysely";

/** How many words are kept of one thing, and how long they may be; what follows can't be found. */
const mostWords = 500;
const longestWord = 100;

/** The words in texts by which they're found: lower-case, without what separates them, each once. */
export function wordsOf(...texts: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [word] of text
      .normalize("NFKC")
      .toLowerCase()
      .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      found.add(word.slice(0, longestWord).toWellFormed());
      if (found.size === mostWords) {
        return [...found];
      }
    }
  }
  return [...found];
}

/**
 * What finds everything that has, for each word of a search, a word that begins with it; undefined if the search has no
 * words.
 */
export function searchFor(text: string): RawBuilder<unknown> | undefined {
  const words = wordsOf(text.slice(0, 1_000)).slice(0, 20);
  // Words have only letters and numbers, so that nothing in them has a meaning in a tsquery.
  return words.length === 0 ? undefined : sql`${words.map((word) => `'${word}':*`).join(" & ")}::tsquery`;
}
