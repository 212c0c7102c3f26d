import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReleaseStep } from "../context.ts";
import { architectures } from "./architecture.ts";
import { buildImages } from "./build-images.ts";

/**
 * The images for all architectures, each as an OCI layout, and `digests.txt` with what their tags name. It needs no
 * root, and nothing that runs images.
 */
export const imagesStep: ReleaseStep = async (context) => {
  const built = await buildImages(context, { kinds: ["slim", "full", "console"], architectures });
  const list = join(context.out, "images", "digests.txt");
  await writeFile(list, built.map(({ name, digest }) => `${digest}  ${name}\n`).join(""));
  return [...built.map(({ layout }) => layout), list];
};
