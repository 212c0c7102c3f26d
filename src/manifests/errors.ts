import type { ResourceId } from "@weir/flux";

/** Why manifests can't be loaded. The message names the file, and has Flux v1's format. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  /** The file, relative to the root of the repository; "" if the error isn't about a single file. */
  readonly source: string;
  /** Counted from 1; undefined if the error isn't about a line. */
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

/** A document isn't a manifest that Flux v1 accepts; the message is that of Flux's Go packages. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}

/** A resource that's defined twice, and the files that define it; they may be the same. */
export interface DuplicateManifest {
  readonly id: ResourceId;
  readonly firstSource: string;
  readonly source: string;
}

/** A resource is defined twice. */
export class DuplicateManifestError extends Error {
  override readonly name = "DuplicateManifestError";
  readonly id: ResourceId;
  /** The file with the second definition, relative to the root of the repository. */
  readonly source: string;
  /** The file with the first definition; may be the same. */
  readonly firstSource: string;

  constructor(message: string, { id, firstSource, source }: DuplicateManifest) {
    super(message);
    this.id = id;
    this.firstSource = firstSource;
    this.source = source;
  }
}

/** No manifest contains the resource to change. */
export class ResourceNotFoundError extends Error {
  override readonly name = "ResourceNotFoundError";
  readonly id: ResourceId;

  constructor(id: ResourceId) {
    super(`resource ${id} not found`);
    this.id = id;
  }
}

/** A change that only applies to workloads was requested for another resource. */
export class NotAWorkloadError extends Error {
  override readonly name = "NotAWorkloadError";
  readonly id: ResourceId;

  constructor(id: ResourceId) {
    super(`resource ${id} does not have containers`);
    this.id = id;
  }
}
