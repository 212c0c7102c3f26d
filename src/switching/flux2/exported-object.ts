import type { JsonObject } from "@weir/base";

/** An object for Flux v2, and comments on it. */
export interface ExportedObject {
  readonly object: Flux2Object;
  /** Sentences without line feeds. */
  readonly comments: readonly string[];
}

/** An object as it is written to a file. */
export interface Flux2Object extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: JsonObject;
}

/** The API versions of Flux v2.7 and newer. */
export const apiVersions = {
  source: "source.toolkit.fluxcd.io/v1",
  kustomize: "kustomize.toolkit.fluxcd.io/v1",
  image: "image.toolkit.fluxcd.io/v1",
} as const;

/** Something that Flux v2 doesn't do, or that can't be exported. */
export interface LeftOut {
  /** For example, a flag or a workload. */
  readonly subject: string;
  readonly reason: string;
  /** What to do instead. */
  readonly remedy: string;
}

/** A Secret that the exported objects use, and that a person has to create. */
export interface NeededSecret {
  readonly name: string;
  /** What it's for, and which keys it has. */
  readonly purpose: string;
  /** Commands that create it; they never contain its value. */
  readonly commands: readonly string[];
}
