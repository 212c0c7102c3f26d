import { type JsonObject, JsonReader, type JsonValue, messageOf, textOrNullAt } from "@weir/base";
import { parseResourceId } from "../resource/id.ts";
import { allWorkloadsSpec } from "../update/spec.ts";
import type { ListImagesOptions } from "./api-server.ts";

/** A workload ID, or "all workloads". */
type WorkloadSpec = ListImagesOptions["workload"];

/** A text is neither a workload ID nor "all workloads"; the message is Flux v1's. */
export class WorkloadSpecError extends Error {
  override readonly name = "WorkloadSpecError";
}

/** v10.ListImagesOptions: {"Spec", "OverrideContainerFields", "Namespace"}. */
export function encodeListImagesOptions({ workload, namespace, fields }: ListImagesOptions): JsonObject {
  return {
    Spec: workload,
    OverrideContainerFields: fields.length === 0 ? null : fields,
    Namespace: namespace,
  };
}

/** Decodes the result of encodeListImagesOptions. Throws JsonShapeError or WorkloadSpecError. */
export function decodeListImagesOptions(value: JsonValue): ListImagesOptions {
  const reader = new JsonReader(value);
  return {
    workload: parseWorkloadSpec(reader.text("Spec")),
    namespace: reader.text("Namespace"),
    fields: reader.list("OverrideContainerFields", textOrNullAt) ?? [],
  };
}

/** Parses a resource ID or "<all>". Throws WorkloadSpecError. */
export function parseWorkloadSpec(text: string): WorkloadSpec {
  try {
    return text === allWorkloadsSpec ? text : parseResourceId(text);
  } catch (error) {
    throw new WorkloadSpecError(`treating workload spec as ID: ${messageOf(error)}`, { cause: error });
  }
}
