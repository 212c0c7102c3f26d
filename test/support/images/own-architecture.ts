import { type Architecture, architectures } from "../../../dev/release/images/architecture.ts";

/** The architecture of this machine; undefined if there are no images for it. */
export const ownArchitecture: Architecture | undefined = architectures.find(
  ({ name }) => name === (process.arch === "x64" ? "amd64" : process.arch),
);
