import { type JsonObject, JsonReader, type JsonValue, textAt } from "@weir/base";
import { parseResourceId } from "../resource/id.ts";
import type { ListWorkloadsOptions } from "./api-server.ts";

/** v11.ListServicesOptions: {"Namespace", "Services"}. */
export function encodeListServicesOptions({ namespace, workloads }: ListWorkloadsOptions): JsonObject {
  return { Namespace: namespace, Services: workloads.length === 0 ? null : workloads };
}

/** Decodes the result of encodeListServicesOptions. Throws JsonShapeError or InvalidResourceIdError. */
export function decodeListServicesOptions(value: JsonValue): ListWorkloadsOptions {
  const reader = new JsonReader(value);
  return {
    namespace: reader.text("Namespace"),
    workloads: reader.list("Services", (item, path) => parseResourceId(textAt(item, path))) ?? [],
  };
}
