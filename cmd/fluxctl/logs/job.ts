import { JsonReader } from "@weir/base";
import type { RestClient } from "@weir/kube/rest";
import { getObject, type LoggedWorkload } from "./workload.ts";

/** True for a Job that has completed or failed, or that was deleted. */
export async function isFinishedJob(
  client: RestClient,
  workload: LoggedWorkload,
  signal: AbortSignal,
): Promise<boolean> {
  const job = await getObject(client, workload, signal);
  const status = new JsonReader(job?.status ?? null, "status");
  const conditions = status.list("conditions", (value, path) => new JsonReader(value, path)) ?? [];
  return (
    job === undefined ||
    conditions.some(
      (condition) =>
        ["Complete", "Failed"].includes(condition.text("type")) && condition.text("status") === "True",
    )
  );
}
