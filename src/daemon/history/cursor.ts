/** A place in the history: everything before it was returned already. It stays the same while new entries arrive. */
export interface HistoryPlace {
  /** The commit at which the list of commits begins; "" if there was none. */
  readonly head: string;
  /** How many commits, beginning with that one, were returned. */
  readonly skip: number;
  /** Only syncs with lower sequences weren't returned; undefined for all. */
  readonly below: number | undefined;
}

/** Prints a place, as an opaque text for callers. */
export function printPlace({ head, skip, below }: HistoryPlace): string {
  return `${head}.${skip}.${below ?? ""}`;
}

/** Parses the result of printPlace; undefined for any other text. */
export function parsePlace(text: string): HistoryPlace | undefined {
  const [, head, skip, below] = /^([0-9a-f]{40}|[0-9a-f]{64}|)\.(\d{1,15})\.(\d{0,15})$/.exec(text) ?? [];
  return head === undefined
    ? undefined
    : { head, skip: Number(skip), below: below === "" ? undefined : Number(below) };
}
