/** The formats of an error response. */
export type ErrorForm = "json" | "help" | "message";

/** The two supported media types, preferred one first. */
const forms: ReadonlyMap<string, ErrorForm> = new Map([
  ["application/json", "json"],
  ["text/plain", "help"],
]);

/**
 * Selects the error format from the Accept header. As Flux v1: only the two exact types count, and JSON wins
 * a tie. Without the header, or if it names neither type, the response is the bare message; an invalid header
 * selects JSON.
 */
export function preferredForm(accept: string | undefined): ErrorForm {
  if (accept === undefined || accept === "") {
    return "message";
  }
  const ranges = parseAccept(accept);
  if (ranges.length === 0) {
    return "json";
  }
  const candidates = [...forms].flatMap(([type, form]) => {
    const qualities = ranges.filter((range) => range.type === type).map(({ quality }) => quality);
    return qualities.length === 0 ? [] : [{ form, quality: Math.max(...qualities) }];
  });
  // Sorting is stable: equal items keep their order.
  return candidates.toSorted((a, b) => b.quality - a.quality)[0]?.form ?? "message";
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

const rangePattern = /[ \t]*([^ \t,;"=]+)[ \t]*(?:;[ \t]*q=([01](?:\.\d{0,3})?)[ \t]*)?(,|$)/y;

/** Parses the ranges up to the first invalid part; the rest is ignored. */
function parseAccept(accept: string): readonly Range[] {
  const pattern = new RegExp(rangePattern);
  const ranges: Range[] = [];
  for (let match = pattern.exec(accept); match !== null; match = pattern.exec(accept)) {
    ranges.push({ type: match[1] ?? "", quality: Number(match[2] ?? 1) });
  }
  return ranges;
}
