import { type PrometheusServer, type QueryRange, scrapeInterval } from "./prometheus.ts";

/** What a test reads of a dashboard. */
export interface Dashboard {
  readonly schemaVersion: number;
  readonly uid: string;
  readonly templating: { readonly list: readonly Variable[] };
  readonly annotations: { readonly list: readonly { readonly name: string; readonly expr: string }[] };
  readonly panels: readonly Panel[];
}

/** A variable of a dashboard. */
export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string | { readonly query: string };
}

/** A panel, or a row. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

/** The values of a dashboard's variables, with all of each chosen, as Grafana puts them into queries. */
export async function chooseAll(
  { templating }: Pick<Dashboard, "templating">,
  prometheus: PrometheusServer,
): Promise<ReadonlyMap<string, string>> {
  const chosen = new Map<string, string>();
  for (const { name, type, query } of templating.list) {
    if (type === "query") {
      const values = await valuesOf(
        resolve(typeof query === "string" ? query : query.query, chosen),
        prometheus,
      );
      chosen.set(name, values.length === 1 ? escaped(values[0] ?? "") : `(${values.map(escaped).join("|")})`);
    }
  }
  return chosen;
}

/** Puts values in the place of variables; those of the time range, too, if it's given. */
export function resolve(query: string, chosen: ReadonlyMap<string, string>, range?: QueryRange): string {
  const all = new Map([...chosen, ...(range === undefined ? [] : timesOf(range))]);
  return query.replaceAll(/\$\{?(\w+)\}?/g, (whole, name: string) => {
    const value = all.get(name);
    if (value === undefined) {
      throw new Error(`nothing sets ${whole} in ${query}`);
    }
    return value;
  });
}

/** Grafana's own variables, as its data source for Prometheus calculates them. */
function timesOf({ start, end, step }: QueryRange): readonly (readonly [string, string])[] {
  return [
    ["__interval", `${step}s`],
    ["__rate_interval", `${Math.max(step + scrapeInterval, 4 * scrapeInterval)}s`],
    ["__range", `${Math.ceil(end - start)}s`],
  ];
}

/** What label_values(metric, label) stands for. Throws on any other query. */
async function valuesOf(query: string, prometheus: PrometheusServer): Promise<readonly string[]> {
  const [, series, label] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
  if (series === undefined || label === undefined) {
    throw new Error(`not a query for a variable: ${query}`);
  }
  return (await prometheus.ask(`label/${label}/values`, { "match[]": series })) as readonly string[];
}

/** As a regular expression in a string of PromQL. */
function escaped(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\\$&`);
}
