import type { Metafile } from "esbuild";

/** All files that an entry point of a build needs, itself included; as the build names them. */
export function inputsBelow({ inputs }: Metafile, entry: string): readonly string[] {
  const needed = new Set([entry]);
  for (const path of needed) {
    for (const each of inputs[path]?.imports ?? []) {
      if (each.external !== true && each.path in inputs) {
        needed.add(each.path);
      }
    }
  }
  return [...needed];
}
