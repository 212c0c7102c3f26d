import type { JsonValue } from "@weir/base";
import {
  type Container,
  clusterScope,
  makeResourceId,
  type PolicySet,
  type Resource,
  type ResourceId,
} from "@weir/flux";
import type { KubeObject } from "@weir/kube";
import { kubeObjectOf } from "./document-object.ts";

/** A document as kubectl parses it, or the error. */
export type JsonDocument = { readonly value: JsonValue } | { readonly error: Error };

/** The content of a document that describes an object. */
export interface ManifestContent {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** As written; "" if it's missing. */
  readonly namespace: string;
  /** The file, relative to the root of the repository. */
  readonly source: string;
  /** The document, parsed and printed again. */
  readonly bytes: string;
  readonly policies: PolicySet;
  /** Undefined if the kind has no containers. */
  readonly containers: readonly Container[] | undefined;
  readonly json: JsonDocument;
  /** Values that are encrypted in the file; undefined if the file isn't encrypted. */
  readonly confidential?: ReadonlySet<string>;
}

/** A manifest in a file; its effective namespace isn't known yet. Immutable. */
export class Manifest {
  readonly content: ManifestContent;
  /** With the namespace as written, or <cluster> if it's missing. */
  readonly id: ResourceId;
  #object: KubeObject | undefined;
  #resource: Resource | undefined;

  constructor(content: ManifestContent) {
    this.content = content;
    this.id = idIn(content, content.namespace);
  }

  /**
   * The object that a resource was created from; undefined for a resource from another source. Throws like `object`.
   */
  static objectOf(resource: Resource): KubeObject | undefined {
    return resource instanceof ManifestResource ? resource.manifest.object : undefined;
  }

  /** The document as a Kubernetes object; created once. Throws if JSON can't represent it. */
  get object(): KubeObject {
    const { json } = this.content;
    if ("error" in json) {
      throw json.error;
    }
    this.#object ??= kubeObjectOf(json.value);
    return this.#object;
  }

  /**
   * The resource in its effective namespace, "" for none. Returns the same resource as long as the namespace stays the
   * same.
   */
  resourceIn(namespace: string): Resource {
    const id = idIn(this.content, namespace);
    if (this.#resource?.id !== id) {
      this.#resource = new ManifestResource(id, this);
    }
    return this.#resource;
  }
}

class ManifestResource implements Resource {
  readonly id: ResourceId;
  readonly source: string;
  readonly bytes: string;
  readonly policies: PolicySet;
  readonly containers?: readonly Container[];
  readonly confidential?: ReadonlySet<string>;
  readonly #manifest: Manifest;

  constructor(id: ResourceId, manifest: Manifest) {
    const { source, bytes, policies, containers, confidential } = manifest.content;
    this.id = id;
    this.source = source;
    this.bytes = bytes;
    this.policies = policies;
    if (containers !== undefined) {
      this.containers = containers;
    }
    if (confidential !== undefined) {
      this.confidential = confidential;
    }
    this.#manifest = manifest;
  }

  get manifest(): Manifest {
    return this.#manifest;
  }
}

function idIn({ kind, name }: ManifestContent, namespace: string): ResourceId {
  return makeResourceId(namespace === "" ? clusterScope : namespace, kind, name);
}
