/** The forms in which an error can be sent. */
export type ErrorForm = "json" | "help" | "message";

/** The two media types that count, the better one first. */
const forms: ReadonlyMap<string, ErrorForm> = new Map([
  ["application/json", "json"],
  ["text/plain", "help"],
]);

/**
 * The form of errors that a client asks for by its Accept header. As Flux v1: only the two exact types count, a
 * tie goes to JSON; who sends no header, or names neither, gets the bare message; a header that cannot be read
 * means JSON.
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
  // Sorting keeps the order of those that are equal.
  return candidates.toSorted((a, b) => b.quality - a.quality)[0]?.form ?? "message";
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

const rangePattern = /[ \t]*([^ \t,;"=]+)[ \t]*(?:;[ \t]*q=([01](?:\.\d{0,3})?)[ \t]*)?(,|$)/y;

/** The ranges up to the first thing that is neither a type nor a quality: what follows it is not read. */
function parseAccept(accept: string): readonly Range[] {
  const pattern = new RegExp(rangePattern);
  const ranges: Range[] = [];
  for (let match = pattern.exec(accept); match !== null; match = pattern.exec(accept)) {
    ranges.push({ type: match[1] ?? "", quality: Number(match[2] ?? 1) });
  }
  return ranges;
}
