import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReleaseStep } from "../context.ts";
import { architectures } from "./architecture.ts";
import { buildImages } from "./build-images.ts";

/**
 * The images for all architectures, as archives of OCI layouts, and `digests.txt` with what each tag names. It needs
 * no root, and nothing that runs images.
 */
export const imagesStep: ReleaseStep = async (context) => {
  const { archives, digests } = await buildImages(context, { kinds: ["slim", "full"], architectures });
  const list = join(context.out, "images", "digests.txt");
  await writeFile(list, [...digests].map(([name, digest]) => `${digest}  ${name}\n`).join(""));
  return [...archives, list];
};
