import type { JsonObject } from "@weir/base";
import type { ListWorkloadsOptions } from "./api-server.ts";

/** v11.ListServicesOptions: {"Namespace", "Services"}. */
export function encodeListServicesOptions({ namespace, workloads }: ListWorkloadsOptions): JsonObject {
  return { Namespace: namespace, Services: workloads.length === 0 ? null : workloads };
}
