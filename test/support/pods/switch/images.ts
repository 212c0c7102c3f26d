import { join } from "node:path";
import type { PodImage } from "@weir/testing";
import { usualImages, weirImage } from "../images.ts";

const root = join(import.meta.dirname, "../../../..");
const knownHostsPath = "/etc/ssh/ssh_known_hosts";

/** The name of Weir's image in these tests. */
export const weirImageName = "weir:test";

/**
 * Images for a switch: Flux's runs the stand-in, and both Flux's and Weir's know the host keys in that file, as the real
 * images know those of well-known hosts.
 */
export function switchImages(knownHostsFile: string): readonly PodImage[] {
  const weir = weirImage(weirImageName);
  const mounts = { ...weir.mounts, [knownHostsPath]: knownHostsFile };
  const standIn: PodImage = {
    match: "*fluxcd/flux:*",
    command: ["node", "/opt/sources/test/support/pods/flux-stand-in/main.ts"],
    mounts: { ...mounts, "/opt/sources": root },
    ...(weir.env === undefined ? {} : { env: weir.env }),
  };
  return [standIn, { ...weir, mounts }, ...usualImages()];
}
