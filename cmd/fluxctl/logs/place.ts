/** A line of a log, and when it was logged; "" if it has no time. */
export interface LogLine {
  readonly time: string;
  readonly text: string;
}

const timed = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?([^]*)$/;

/** Reads a line of a log that was requested with times. */
export function readLine(line: string): LogLine {
  const [, time = "", text = line] = timed.exec(line) ?? [];
  return { time, text };
}

/**
 * The place in a log up to which it was read. The API server only goes back to a second, so lines that come again after
 * an interruption are recognized by their times, and by how many had the last time.
 */
export class Place {
  #time = "";
  #count = 0;
  /** While lines may come again: how many with the last time did. */
  #again: number | undefined;

  /** The time from which to read on; undefined at the beginning. */
  get time(): string | undefined {
    return this.#time === "" ? undefined : this.#time;
  }

  /** Call before each request: lines may come again. */
  resume(): void {
    this.#again = this.#time === "" ? undefined : 0;
  }

  /** Whether the line is new. */
  isNew({ time }: LogLine): boolean {
    if (time === "") {
      return true;
    }
    if (this.#again !== undefined) {
      const order = compareTimes(time, this.#time);
      if (order < 0 || (order === 0 && this.#again < this.#count)) {
        this.#again += order === 0 ? 1 : 0;
        return false;
      }
      this.#again = undefined;
    }
    this.#count = time === this.#time ? this.#count + 1 : 1;
    this.#time = time;
    return true;
  }
}

/** Compares times to the nanosecond, which Date doesn't know. */
function compareTimes(a: string, b: string): number {
  return (
    Math.floor(Date.parse(a) / 1000) - Math.floor(Date.parse(b) / 1000) || nanoseconds(a) - nanoseconds(b)
  );
}

function nanoseconds(time: string): number {
  return Number((/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(9, "0").slice(0, 9));
}
