/** A string isn't a valid CSV record; the message is Go's. */
export class CsvError extends Error {
  override readonly name = "CsvError";

  constructor(column: number, reason: string) {
    super(`parse error on line 1, column ${column}: ${reason}`);
  }
}

/**
 * Splits a CSV record into fields like Go's encoding/csv. A field can be enclosed in double quotes; within
 * them, two double quotes mean one. Only the first line is read. Throws CsvError.
 */
export function parseCsvRecord(text: string): readonly string[] {
  const fields: string[] = [];
  for (let at = 0; ; ) {
    const field = text[at] === '"' ? quotedField(text, at) : bareField(text, at);
    fields.push(field.value);
    if (text[field.end] !== ",") {
      return fields;
    }
    at = field.end + 1;
  }
}

/** Prints fields like Go's encoding/csv, with quotes where needed. */
export function printCsvRecord(fields: readonly string[]): string {
  return fields.map(printField).join(",");
}

interface Field {
  readonly value: string;
  /** The index after the field: a comma or the end of the line. */
  readonly end: number;
}

function bareField(text: string, start: number): Field {
  const length = text.slice(start).search(/[,\n]/);
  const end = length < 0 ? text.length : start + length;
  const value = text.slice(start, end);
  const quote = value.indexOf('"');
  if (quote >= 0) {
    throw new CsvError(columnOf(text, start + quote), 'bare " in non-quoted-field');
  }
  return { value: text[end] === "\n" && value.endsWith("\r") ? value.slice(0, -1) : value, end };
}

function quotedField(text: string, start: number): Field {
  let value = "";
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) {
      throw new CsvError(columnOf(text, text.length), 'extraneous or missing " in quoted-field');
    }
    value += text.slice(at, quote);
    const next = text[quote + 1];
    if (next === '"') {
      value += '"';
      at = quote + 2;
    } else if (next === undefined || next === "," || next === "\n") {
      return { value, end: quote + 1 };
    } else {
      throw new CsvError(columnOf(text, quote), 'extraneous or missing " in quoted-field');
    }
  }
}

/** Go counts bytes, starting at one. */
function columnOf(text: string, index: number): number {
  return new TextEncoder().encode(text.slice(0, index)).length + 1;
}

function printField(field: string): string {
  const needsQuotes = field === "\\." || /[",\r\n]|^\s/.test(field);
  return needsQuotes ? `"${field.replaceAll('"', '""')}"` : field;
}
