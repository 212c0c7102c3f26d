import { type JsonObject, JsonReader, type JsonValue, messageOf, textOrNullAt } from "@weir/base";
import { parseResourceId } from "../../resource/id.ts";
import { allWorkloadsSpec } from "../../update/spec.ts";
import type { ListImagesOptions } from "./api-server.ts";

/** Which workload's images are meant, or all. */
type WorkloadSpec = ListImagesOptions["workload"];

/** A text names neither a workload nor all of them; the message is the one of Flux v1. */
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

/** Reads what encodeListImagesOptions wrote. Throws JsonShapeError or WorkloadSpecError. */
export function decodeListImagesOptions(value: JsonValue): ListImagesOptions {
  const reader = new JsonReader(value);
  return {
    workload: parseWorkloadSpec(reader.text("Spec")),
    namespace: reader.text("Namespace"),
    fields: reader.list("OverrideContainerFields", textOrNullAt) ?? [],
  };
}

/** A resource ID or "<all>". Throws WorkloadSpecError. */
export function parseWorkloadSpec(text: string): WorkloadSpec {
  try {
    return text === allWorkloadsSpec ? text : parseResourceId(text);
  } catch (error) {
    throw new WorkloadSpecError(`treating workload spec as ID: ${messageOf(error)}`, { cause: error });
  }
}
