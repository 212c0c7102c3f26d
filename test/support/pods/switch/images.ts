import { join } from "node:path";
import type { PodImage } from "@weir/testing";
import { sourceImage, usualImages, weirRootImage } from "../images.ts";

const root = join(import.meta.dirname, "../../../..");
const knownHostsPath = "/etc/ssh/ssh_known_hosts";

/** The name of Weir's image in these tests: the one for Deployments of Flux v1. */
export const weirImageName = "weir:test-root";

/**
 * Images for a switch: Flux's runs the stand-in, and both Flux's and Weir's know the host keys in that file, as the real
 * images know those of well-known hosts.
 */
export function switchImages(knownHostsFile: string): readonly PodImage[] {
  const weir = weirRootImage(weirImageName);
  const knownHosts = { [knownHostsPath]: knownHostsFile };
  const source = sourceImage("");
  const standIn: PodImage = {
    match: "*fluxcd/flux:*",
    command: ["node", "/opt/sources/test/support/pods/flux-stand-in/main.ts"],
    mounts: { ...source.mounts, ...knownHosts, "/opt/sources": root },
    ...(source.env === undefined ? {} : { env: source.env }),
  };
  return [standIn, { ...weir, mounts: { ...weir.mounts, ...knownHosts } }, ...usualImages()];
}
