import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dataEnding, neededFiles } from "../../dev/release/binaries/needed-files.ts";

/**
 * What programs need of the folder `lib` of a build: the names of their starters, of the bundles that these may load, with
 * their licenses, and of the files and folders with data that the bundles name.
 */
export function filesOfPrograms(programs: readonly string[], lib: string): readonly string[] {
  const names = readdirSync(lib).filter((name) => !name.startsWith("."));
  const bundles = names.filter((name) => /\.[cm]js$/.test(name) && !isStarter(name));
  const texts = new Map(bundles.map((name) => [name, readFileSync(join(lib, name), "utf8")]));
  const packed = names.filter((name) => name.endsWith(dataEnding));
  const others = names.filter(
    (name) => !/\.[cm]js(?:\.LEGAL\.txt)?$/.test(name) && !name.endsWith(dataEnding),
  );
  const needed = new Set<string>();
  for (const program of programs) {
    const found = neededFiles(program, texts, packed);
    const named = others.filter((name) => found.bundles.some((bundle) => texts.get(bundle)?.includes(name)));
    const licenses = found.bundles.map((name) => `${name}.LEGAL.txt`).filter((name) => names.includes(name));
    [`start-${program}.cjs`, ...found.bundles, ...licenses, ...found.data, ...named].forEach((name) =>
      needed.add(name),
    );
  }
  return [...needed].toSorted();
}

function isStarter(name: string): boolean {
  return name.startsWith("start-");
}
