/** How many objects a sync may prune: a number, or a whole percentage of the unit's live objects. */
export type PruneLimit = number | `${number}%`;

/** The limit if none is given. */
export const usualPruneLimit: PruneLimit = "25%";

/** A limit isn't a whole number or a percentage from 0% to 100%. */
export class PruneLimitError extends Error {
  override readonly name = "PruneLimitError";

  constructor(text: string) {
    super(`${JSON.stringify(text)} is neither a number of objects nor a percentage from 0% to 100%`);
  }
}

/** Reads a limit such as "10" or "25%". Throws PruneLimitError. */
export function parsePruneLimit(text: string): PruneLimit {
  const [, digits = "", percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  const value = Number(digits);
  if (digits === "" || (percent === "%" && value > 100)) {
    throw new PruneLimitError(text);
  }
  return percent === "%" ? `${value}%` : value;
}

/**
 * The most objects that may be pruned, out of `managed` live objects of the unit. A percentage is rounded up, so
 * that one object can always be pruned, even if there are only a few, unless the limit is 0%. Throws
 * PruneLimitError.
 */
export function mostPruned(limit: PruneLimit, managed: number): number {
  const parsed = parsePruneLimit(String(limit));
  return typeof parsed === "number" ? parsed : Math.ceil((managed * Number.parseInt(parsed, 10)) / 100);
}
