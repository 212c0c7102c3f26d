import { type Clock, type LogFields, type Logger, messageOf } from "@weir/base";

/** How many warnings alike are written in a minute. */
const mostAlike = 5;
const windowMs = 60_000;

/** How many warnings are told apart. */
const mostKinds = 1_000;

/** Warnings that are alike, within a minute of the first. */
interface Alike {
  readonly until: number;
  count: number;
}

/**
 * A logger that writes only the first few of the warnings that have the same text and reason, whichever daemon they are
 * about: without its database, a console with a thousand daemons would write a thousand lines in each round. The last one
 * that is written says that others are suppressed, and the next one after a minute how many were.
 */
export function calmLogger(logger: Logger, clock: Clock): Logger {
  return new CalmLogger(logger, clock, new Map());
}

class CalmLogger implements Logger {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #known: Map<string, Alike>;

  constructor(logger: Logger, clock: Clock, known: Map<string, Alike>) {
    this.#logger = logger;
    this.#clock = clock;
    this.#known = known;
  }

  log(fields: LogFields): void {
    const { warning, err } = fields;
    if (warning === undefined) {
      this.#logger.log(fields);
      return;
    }
    const key = JSON.stringify([warning, err instanceof Error ? messageOf(err) : err]);
    const { count, suppressed } = this.#countAlike(key);
    if (count <= mostAlike) {
      this.#logger.log({
        ...fields,
        ...(suppressed === 0 ? {} : { suppressed }),
        ...(count === mostAlike
          ? { note: "further warnings like this one are suppressed for a minute" }
          : {}),
      });
    }
  }

  with(fields: LogFields): Logger {
    return new CalmLogger(this.#logger.with(fields), this.#clock, this.#known);
  }

  #countAlike(key: string): { readonly count: number; readonly suppressed: number } {
    const now = this.#clock.now();
    const known = this.#known.get(key);
    if (known !== undefined && now < known.until) {
      known.count += 1;
      return { count: known.count, suppressed: 0 };
    }
    this.#known.delete(key);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostKinds && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    this.#known.set(key, { until: now + windowMs, count: 1 });
    return { count: 1, suppressed: Math.max(0, (known?.count ?? 0) - mostAlike) };
  }
}
