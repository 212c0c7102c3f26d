import type { Clock } from "./clock.ts";
import { printGoTime } from "./go-time.ts";
import type { LogFields, Logger, LogValue } from "./logger.ts";
import { makeVisible } from "./visible.ts";

/** What a logger needs. */
export interface LoggerOptions {
  readonly format: "logfmt" | "json";
  /** Receives a whole line, including its newline. */
  readonly write: (line: string) => void;
  readonly clock: Clock;
  /** Masks secrets in a text; applied to every text of a line, including keys. */
  readonly redact?: (text: string) => string;
}

type Field = readonly [key: string, value: LogValue];

/**
 * A logger with the formats of go-kit: logfmt, or one JSON object per line with sorted keys. Every line starts with
 * `ts` (UTC, RFC 3339) and `caller`, which is the component or else "main". There are no line numbers, because they
 * would mean nothing in a bundle.
 */
export function createLogger(options: LoggerOptions): Logger {
  return loggerWith([], options);
}

function loggerWith(bound: readonly Field[], options: LoggerOptions): Logger {
  return {
    log: (fields) => options.write(printLine([...bound, ...fieldsOf(fields)], options)),
    with: (fields) => loggerWith([...bound, ...fieldsOf(fields)], options),
  };
}

function fieldsOf(fields: LogFields): readonly Field[] {
  return Object.entries(fields).filter(([, value]) => value !== undefined);
}

function printLine(fields: readonly Field[], { format, clock, redact }: LoggerOptions): string {
  const all: readonly Field[] = [
    ["ts", printGoTime(new Date(clock.now()))],
    ["caller", callerOf(fields)],
    ...fields,
  ];
  const safe = redact ? all.map((field) => redactField(field, redact)) : all;
  // go-kit lets control characters through. Here they're made visible, because logs are read in terminals.
  return `${makeVisible(format === "json" ? printJson(safe) : printLogfmt(safe))}\n`;
}

function callerOf(fields: readonly Field[]): LogValue {
  return fields.findLast(([key]) => key === "component")?.[1] ?? "main";
}

function redactField([key, value]: Field, redact: (text: string) => string): Field {
  const text = plain(value);
  return [redact(key), typeof text === "string" ? redact(text) : text];
}

/** A value in JSON's types: errors and times become strings. */
function plain(value: LogValue): string | number | boolean | null {
  if (value instanceof Error) {
    return value.message;
  }
  return value instanceof Date ? printGoTime(value) : (value ?? null);
}

/** Go sorts the keys of a map; if a key occurs twice, the last value counts. */
function printJson(fields: readonly Field[]): string {
  const sorted = [...new Map(fields)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted.map(([key, value]) => [key, plain(value)])));
}

function printLogfmt(fields: readonly Field[]): string {
  return fields.map(([key, value]) => `${printKey(key)}=${printValue(plain(value))}`).join(" ");
}

/** Removes characters from keys that would break the line apart. */
function printKey(key: string): string {
  return key.replace(/[\0- ="\x7f-\x9f\ufffd]/g, "");
}

function printValue(value: string | number | boolean | null): string {
  if (typeof value !== "string") {
    return String(value);
  }
  return value === "null" || /[\0- ="\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffd]/.test(value)
    ? quote(value)
    : value;
}

function quote(text: string): string {
  return `"${text.replace(/["\\\0-\x1f\x7f\ufffd]/g, escapeCharacter)}"`;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, "0");
  return shortEscapes.get(character) ?? `\\u${code}`;
}
