import { type GeneratedFile, isFresh } from "../../scripts/generate/generated-file.ts";

/** The paths of those files that a generator would write differently. */
export async function staleFiles(
  generate: () => Promise<readonly GeneratedFile[]>,
): Promise<readonly string[]> {
  const files = await generate();
  return files.filter((file) => !isFresh(file)).map(({ path }) => path);
}
