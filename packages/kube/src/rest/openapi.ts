import { type Clock, orAborted, systemClock } from "@weir/base";
import { apiVersionOf, type GroupVersionKind } from "../gvk.ts";
import { builtinPatchSchema } from "../patch/builtin-schemas.ts";
import type { PatchSchema } from "../patch/patch-schema.ts";
import { OpenApiDocuments } from "./openapi-documents.ts";
import type { RestClient } from "./rest.ts";

/** Provides the patch rules of kinds, to compute the patches that `kubectl apply` sends. */
export interface SchemaSource {
  /**
   * Undefined for custom resources, which use JSON merge patches. Rejects if the server is needed but can't
   * be reached, or if the signal is aborted.
   */
  schemaFor(gvk: GroupVersionKind, signal: AbortSignal): Promise<PatchSchema | undefined>;
}

/**
 * Patch rules from the built-in table, without requests. The server's OpenAPI document is read only for a
 * kind that may belong to a Kubernetes version newer than the table.
 */
export function createSchemaSource(client: RestClient, clock: Clock = systemClock): SchemaSource {
  return new CachedSchemaSource(new OpenApiDocuments(client, clock));
}

class CachedSchemaSource implements SchemaSource {
  readonly #documents: OpenApiDocuments;
  readonly #builtin = new Map<string, PatchSchema | undefined>();

  constructor(documents: OpenApiDocuments) {
    this.#documents = documents;
  }

  async schemaFor(gvk: GroupVersionKind, signal: AbortSignal): Promise<PatchSchema | undefined> {
    if (mergedByKubectl.includes(gvk.group)) {
      return undefined;
    }
    const shipped = this.#shipped(gvk);
    if (shipped !== undefined || !mayBeBuiltin(gvk.group)) {
      return shipped;
    }
    signal.throwIfAborted();
    return orAborted(this.#documents.schemaFor(gvk), signal);
  }

  #shipped(gvk: GroupVersionKind): PatchSchema | undefined {
    const name = `${apiVersionOf(gvk.group, gvk.version)} ${gvk.kind}`;
    if (!this.#builtin.has(name)) {
      this.#builtin.set(name, builtinPatchSchema(gvk));
    }
    return this.#builtin.get(name);
  }
}

/** Built-in kinds that kubectl doesn't know: it treats them as custom resources. */
const mergedByKubectl = ["apiextensions.k8s.io", "apiregistration.k8s.io"];

/** The groups that Kubernetes reserves for itself; those of "x-k8s.io" are always custom resources. */
function mayBeBuiltin(group: string): boolean {
  return !group.includes(".") || (group.endsWith(".k8s.io") && !group.endsWith(".x-k8s.io"));
}
