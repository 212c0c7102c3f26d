import { type Clock, orAborted, systemClock } from "@weir/base";
import { apiVersionOf, type GroupVersionKind } from "../gvk.ts";
import { builtinPatchSchema } from "../patch/builtin-schemas.ts";
import type { PatchSchema } from "../patch/patch-schema.ts";
import { OpenApiDocuments } from "./openapi-documents.ts";
import type { RestClient } from "./rest.ts";

/** Tells the patch rules of a kind, to compute the patches that `kubectl apply` sends. */
export interface SchemaSource {
  /**
   * Undefined for custom resources, which take JSON merge patches. Rejects where the server has to be asked and
   * cannot be, or the signal is aborted.
   */
  schemaFor(gvk: GroupVersionKind, signal: AbortSignal): Promise<PatchSchema | undefined>;
}

/**
 * Patch rules from the shipped table, without a request. Only for a kind that may belong to a Kubernetes newer
 * than the table is the server's OpenAPI document asked.
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

/** Kinds of the server that kubectl does not know: to it they are as custom resources. */
const mergedByKubectl = ["apiextensions.k8s.io", "apiregistration.k8s.io"];

/** The groups that Kubernetes keeps for itself; those of "x-k8s.io" are custom resources always. */
function mayBeBuiltin(group: string): boolean {
  return !group.includes(".") || (group.endsWith(".k8s.io") && !group.endsWith(".x-k8s.io"));
}
