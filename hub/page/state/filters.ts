/** How a filter is written in the query of an address. */
export type Filter =
  | { readonly kind: "text" }
  | { readonly kind: "several"; readonly values?: readonly string[] }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly values: readonly string[]; readonly otherwise: string };

/** The filters of a screen, by the names of their parameters. */
export type Filters = Readonly<Record<string, Filter>>;

type ValueOf<F extends Filter> = F extends { kind: "flag" }
  ? boolean
  : F extends { kind: "several"; values: readonly (infer Value)[] }
    ? readonly Value[]
    : F extends { kind: "several" }
      ? readonly string[]
      : F extends { kind: "choice"; values: readonly (infer Value)[] }
        ? Value
        : string;

/** What filters are set to. */
export type FilterValues<F extends Filters> = { readonly [Name in keyof F]: ValueOf<F[Name]> };

/** What the query of an address sets filters to. What isn't known is left out, so that old links still open. */
export function readFilters<const F extends Filters>(search: string, filters: F): FilterValues<F> {
  const parameters = new URLSearchParams(search);
  return Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [name, readFilter(parameters.getAll(name), filter)]),
  ) as FilterValues<F>;
}

function readFilter(values: readonly string[], filter: Filter): string | boolean | readonly string[] {
  const first = values[0] ?? "";
  switch (filter.kind) {
    case "text":
      return first;
    case "flag":
      return first === "true";
    case "several": {
      const known = filter.values;
      return [...new Set(values)].filter(
        (value) => value !== "" && (known === undefined || known.includes(value)),
      );
    }
    case "choice":
      return filter.values.includes(first) ? first : filter.otherwise;
  }
}

/** The query of an address that sets filters to these values, with its "?"; "" if all are as they are without it. */
export function writeFilters<const F extends Filters>(values: FilterValues<F>, filters: F): string {
  const parameters = new URLSearchParams(
    Object.entries(filters).flatMap(([name, filter]) =>
      textsOf(values[name], filter).map((text): [string, string] => [name, text]),
    ),
  );
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

function textsOf(value: string | boolean | readonly string[] | undefined, filter: Filter): readonly string[] {
  if (value === undefined || value === false || value === "") {
    return [];
  }
  if (filter.kind === "choice" && value === filter.otherwise) {
    return [];
  }
  return typeof value === "object" ? value : [String(value)];
}
