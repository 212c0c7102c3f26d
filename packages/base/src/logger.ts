/** One value of a log line. An Error is written as its message, a Date as RFC 3339, undefined is left out. */
export type LogValue = string | number | boolean | null | undefined | Error | Date;

/** The key/value pairs of a log line, written in the order given. */
export interface LogFields {
  readonly [key: string]: LogValue;
}

/**
 * Where log lines go. Lines are key/value pairs with fixed keys (component, event, err, warning, info,
 * revision, jobID …), never interpolated text; what varies goes into a value of its own.
 */
export interface Logger {
  log(fields: LogFields): void;
  /** A logger that puts `fields` in front of every line. */
  with(fields: LogFields): Logger;
}

/** Drops every line; for tests, and for libraries used without a log. */
export const silentLogger: Logger = {
  log() {},
  with() {
    return silentLogger;
  },
};
