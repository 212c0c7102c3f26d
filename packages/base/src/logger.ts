/** One value of a log line. An Error is written as its message and a Date as RFC 3339; undefined is left out. */
export type LogValue = string | number | boolean | null | undefined | Error | Date;

/** The key/value pairs of a log line, written in this order. */
export interface LogFields {
  readonly [key: string]: LogValue;
}

/**
 * Receives log lines. Lines are key/value pairs with fixed keys (component, event, err, warning, info, revision, jobID
 * …), and never interpolated text; anything that varies gets its own value.
 */
export interface Logger {
  log(fields: LogFields): void;
  /** A logger that adds `fields` to the start of every line. */
  with(fields: LogFields): Logger;
}

/** Discards every line; for tests, and for libraries that are used without a log. */
export const silentLogger: Logger = {
  log() {},
  with() {
    return silentLogger;
  },
};
