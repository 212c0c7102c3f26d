import type { LogFields, Logger } from "@weir/base";

/** A logger that stores its lines, each as key=value pairs. */
export class RecordedLog implements Logger {
  readonly lines: string[];
  readonly #always: LogFields;

  constructor(lines: string[] = [], always: LogFields = {}) {
    this.lines = lines;
    this.#always = always;
  }

  log(fields: LogFields): void {
    const pairs = Object.entries({ ...this.#always, ...fields });
    this.lines.push(pairs.map(([key, value]) => `${key}=${printValue(value)}`).join(" "));
  }

  with(fields: LogFields): Logger {
    return new RecordedLog(this.lines, { ...this.#always, ...fields });
  }
}

function printValue(value: LogFields[string]): string {
  return value instanceof Error ? value.message : String(value);
}
