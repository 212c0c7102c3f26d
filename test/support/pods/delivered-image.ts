import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PodImage } from "@weir/testing";

/** The folder of an image that `umoci unpack` made, for tests of the image instead of the sources. */
export const imageVariable = "WEIR_TEST_IMAGE";

/** The same, of the image whose tag ends in -root. */
export const rootImageVariable = "WEIR_TEST_ROOT_IMAGE";

/** The user of the images that don't run as root. */
export const ownUser = 1000;

/** The part of an OCI runtime's config.json that is used here. */
interface RuntimeConfig {
  readonly process: {
    readonly args: readonly string[];
    readonly env: readonly string[];
    readonly cwd: string;
    readonly user: { readonly uid: number };
  };
}

/** What pods are to run: the files of that image and what its config says; undefined if there is none. */
export function deliveredImage(variable = imageVariable): Omit<PodImage, "match"> | undefined {
  const bundle = process.env[variable];
  return bundle === undefined ? undefined : imageIn(bundle);
}

/** The image in a folder that `umoci unpack` made. */
export function imageIn(bundle: string): Omit<PodImage, "match"> {
  const text = readFileSync(join(bundle, "config.json"), "utf8");
  const { args, env, cwd, user } = (JSON.parse(text) as RuntimeConfig).process;
  return {
    rootfs: join(bundle, "rootfs"),
    command: args,
    env: Object.fromEntries(env.filter(isOfTheImage).map((variable) => variable.split(/=(.*)/s))) as Record<
      string,
      string
    >,
    dir: cwd,
    user: user.uid,
  };
}

/** umoci adds these two; a node sets HOME by the user that a pod really has. */
function isOfTheImage(variable: string): boolean {
  return !/^(?:HOME|TERM)=/.test(variable);
}
