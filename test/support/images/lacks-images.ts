import { lacks } from "@weir/testing";
import { ownArchitecture } from "./own-architecture.ts";

/** Why this machine can't build an image for itself, deliver it, and unpack it; false if it can. */
export function lacksImages(): string | false {
  return (
    (ownArchitecture === undefined && "there are no images for this machine") ||
    (process.getuid?.() !== 0 && "needs root, to unpack images") ||
    ["Go", "buildah", "docker-registry", "mmdebstrap", "openssl", "skopeo", "umoci"]
      .map(lacks)
      .find(Boolean) ||
    false
  );
}
