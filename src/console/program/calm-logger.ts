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
 * A logger that writes only the first few of the warnings that are alike in what they say and why, whichever daemon they are
 * about: while its database is away, a console with a thousand daemons has a thousand reasons to say so. The last one that
 * is written says that others aren't, and the next one after a minute how many weren't.
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
    const { count, unwritten } = this.#countAlike(key);
    if (count <= mostAlike) {
      this.#logger.log({
        ...fields,
        ...(unwritten === 0 ? {} : { unwritten }),
        ...(count === mostAlike ? { note: "more like this are not written for a minute" } : {}),
      });
    }
  }

  with(fields: LogFields): Logger {
    return new CalmLogger(this.#logger.with(fields), this.#clock, this.#known);
  }

  #countAlike(key: string): { readonly count: number; readonly unwritten: number } {
    const now = this.#clock.now();
    const known = this.#known.get(key);
    if (known !== undefined && now < known.until) {
      known.count += 1;
      return { count: known.count, unwritten: 0 };
    }
    this.#known.delete(key);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostKinds && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    this.#known.set(key, { until: now + windowMs, count: 1 });
    return { count: 1, unwritten: Math.max(0, (known?.count ?? 0) - mostAlike) };
  }
}
