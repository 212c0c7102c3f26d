import type { JsonValue } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { clusterScope, makeResourceId, type ResourceId } from "../resource/id.ts";
import type { PolicySet } from "../resource/policy.ts";
import type { Container, Resource } from "../resource/resource.ts";
import { kubeObjectOf } from "./document-object.ts";

/** A document as kubectl reads it, or why it cannot. */
export type JsonDocument = { readonly value: JsonValue } | { readonly error: Error };

/** What a document says of the object that it describes. */
export interface ManifestContent {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** As written; "" where it is not. */
  readonly namespace: string;
  /** The file, relative to the root of the repository. */
  readonly source: string;
  /** The document, decoded and written again. */
  readonly bytes: string;
  readonly policies: PolicySet;
  /** Undefined where the kind has none. */
  readonly containers: readonly Container[] | undefined;
  readonly json: JsonDocument;
}

/** A manifest as it stands in a file; where its object goes is not known yet. Never changed. */
export class Manifest {
  readonly content: ManifestContent;
  /** With the namespace as written, <cluster> where it is not. */
  readonly id: ResourceId;
  #object: KubeObject | undefined;
  #resource: Resource | undefined;

  constructor(content: ManifestContent) {
    this.content = content;
    this.id = idIn(content, content.namespace);
  }

  /** The object that a resource was made of; undefined for one that comes from elsewhere. Throws as `object`. */
  static objectOf(resource: Resource): KubeObject | undefined {
    return resource instanceof ManifestResource ? resource.manifest.object : undefined;
  }

  /** The document as an object of the cluster; made once. Throws where JSON has no form for it. */
  get object(): KubeObject {
    const { json } = this.content;
    if ("error" in json) {
      throw json.error;
    }
    this.#object ??= kubeObjectOf(json.value);
    return this.#object;
  }

  /** The resource in the namespace that it goes to, "" for none. The same one as long as that does not change. */
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
  readonly #manifest: Manifest;

  constructor(id: ResourceId, manifest: Manifest) {
    const { source, bytes, policies, containers } = manifest.content;
    this.id = id;
    this.source = source;
    this.bytes = bytes;
    this.policies = policies;
    if (containers !== undefined) {
      this.containers = containers;
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
