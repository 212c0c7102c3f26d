import type { ResourceId } from "../resource/id.ts";

/** Why manifests cannot be loaded. The message names the file, and reads as Flux v1's. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  /** The file, relative to the root of the repository; "" where no single file is to blame. */
  readonly source: string;
  /** Counts from 1; undefined where no line is to blame. */
  readonly line: number | undefined;

  constructor(
    message: string,
    source: string,
    options: { readonly line?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.source = source;
    this.line = options.line;
  }
}

/** A document is no manifest that Flux v1 takes; the message is what its Go packages say. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}

/** A resource that is defined twice, and the files that do it; they may be the same. */
export interface DuplicateManifest {
  readonly id: ResourceId;
  readonly firstSource: string;
  readonly source: string;
}

/** The same resource is defined twice. */
export class DuplicateManifestError extends Error {
  override readonly name = "DuplicateManifestError";
  readonly id: ResourceId;
  /** The file that defines it again, relative to the root of the repository. */
  readonly source: string;
  /** The file that defines it first; may be the same. */
  readonly firstSource: string;

  constructor(message: string, { id, firstSource, source }: DuplicateManifest) {
    super(message);
    this.id = id;
    this.firstSource = firstSource;
    this.source = source;
  }
}

/** A resource that is to be changed is in no manifest. */
export class ResourceNotFoundError extends Error {
  override readonly name = "ResourceNotFoundError";
  readonly id: ResourceId;

  constructor(id: ResourceId) {
    super(`resource ${id} not found`);
    this.id = id;
  }
}

/** What only workloads have is to be changed in a resource that is none. */
export class NotAWorkloadError extends Error {
  override readonly name = "NotAWorkloadError";
  readonly id: ResourceId;

  constructor(id: ResourceId) {
    super(`resource ${id} does not have containers`);
    this.id = id;
  }
}
