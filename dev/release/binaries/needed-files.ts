/**
 * The bundles that a program may load, starting with its own, and the data files that they read: everything whose name
 * one of them mentions. `files` are the texts of the bundles, by name; `data` are names.
 */
export function neededFiles(
  program: string,
  files: ReadonlyMap<string, string>,
  data: readonly string[],
): { readonly bundles: readonly string[]; readonly data: readonly string[] } {
  const bundles = new Set([`${program}.cjs`]);
  for (const name of bundles) {
    const text = files.get(name);
    if (text === undefined) {
      throw new Error(`there is no ${name} for ${program} in dist/lib: run npm run build`);
    }
    for (const [, found = ""] of text.matchAll(/\b(?:require|import)\("\.\/([^"]+\.[cm]js)"\)/g)) {
      bundles.add(found);
    }
  }
  const reads = [...bundles].some((name) => files.get(name)?.includes(dataEnding));
  return { bundles: [...bundles].sort(), data: reads ? data.toSorted() : [] };
}

/** How the names of data files end. */
export const dataEnding = ".json.br";
