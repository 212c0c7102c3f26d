/** A line of a benchmark's result. Durations in seconds, memory in MiB. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly limit: string;
  readonly ok: boolean;
}

/** A measurement and its limit. */
export interface Measurement {
  readonly measured: number;
  readonly limit: number;
  readonly unit: string;
}

/** A row with a limit and the verdict. */
export function row(what: string, { measured, limit, unit }: Measurement): Row {
  return {
    what,
    measured: `${print(measured)} ${unit}`,
    limit: `≤ ${print(limit)} ${unit}`,
    ok: measured <= limit,
  };
}

/** A row without a limit, e.g. for a reference. */
export function note(what: string, measured: number, unit: string): Row {
  return { what, measured: `${print(measured)} ${unit}`, limit: "", ok: true };
}

/** Prints the rows as a Markdown table. */
export function printTable(title: string, rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, measured, limit, ok }) => `| ${what} | ${measured} | ${limit} | ${verdict(limit, ok)} |`,
  );
  return [
    `### ${title}`,
    "",
    "| what | measured | limit | |",
    "| --- | --- | --- | --- |",
    ...lines,
    "",
  ].join("\n");
}

function verdict(limit: string, ok: boolean): string {
  return limit === "" ? "" : ok ? "holds" : "MISSED";
}

function print(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
