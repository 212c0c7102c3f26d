/** What a path says for each `:name` of a pattern. */
export type PathValues<Pattern extends string> = Readonly<Record<NamesIn<Pattern>, string>>;

type NamesIn<Pattern extends string> = Pattern extends `${infer Head}/${infer Rest}`
  ? NamesIn<Head> | NamesIn<Rest>
  : Pattern extends `:${infer Name}`
    ? Name
    : never;

/**
 * What a path says for each `:name` of a pattern such as `/instances/:instance`; undefined if it doesn't match. Each
 * part is unescaped exactly once, so that names with any characters survive.
 */
export function matchPath<const Pattern extends string>(
  pattern: Pattern,
  path: string,
): PathValues<Pattern> | undefined {
  const wanted = pattern.split("/");
  const parts = path.replace(/(?<=.)\/$/, "").split("/");
  if (parts.length !== wanted.length) {
    return undefined;
  }
  const values: Record<string, string> = {};
  for (const [index, name] of wanted.entries()) {
    const part = unescaped(parts[index] ?? "");
    if (part === undefined || (!name.startsWith(":") && part !== name) || (name !== "" && part === "")) {
      return undefined;
    }
    if (name.startsWith(":")) {
      values[name.slice(1)] = part;
    }
  }
  return values as PathValues<Pattern>;
}

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The path of a pattern with these values, escaped. */
export function pathOf<const Pattern extends string>(pattern: Pattern, values: PathValues<Pattern>): string {
  const texts: Readonly<Record<string, string>> = values;
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(texts[name] ?? ""));
}
