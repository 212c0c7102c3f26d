/** What's wrong with fields of a request, by their paths. */
export type FieldProblems = Readonly<Record<string, string>>;

/** What's wrong with a field, whose path ends with its name; undefined if nothing is. */
export function problemOf(problems: FieldProblems, name: string): string | undefined {
  const text = Object.entries(problems).find(([path]) => isOf(path, name))?.[1];
  return text === undefined ? undefined : upperFirst(text);
}

/** The problems of fields that have none of these names. */
export function otherProblems(problems: FieldProblems, names: readonly string[]): FieldProblems {
  return Object.fromEntries(
    Object.entries(problems).filter(([path]) => !names.some((name) => isOf(path, name))),
  );
}

function isOf(path: string, name: string): boolean {
  return path === name || path.endsWith(`.${name}`);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
