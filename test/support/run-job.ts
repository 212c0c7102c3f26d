import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { until } from "@weir/testing";

/** What became of an update that was asked for over HTTP, as the API tells it. */
export async function runJob({ apiUrl }: { readonly apiUrl: string }, spec: object): Promise<JsonObject> {
  const body = JSON.stringify(spec);
  const answer = await fetch(`${apiUrl}/v9/update-manifests`, { method: "POST", body });
  const id = (await answer.json()) as string;
  return until("the job", async () => {
    const status = (await (await fetch(`${apiUrl}/v6/jobs?id=${id}`)).json()) as JsonValue;
    if (!isJsonObject(status)) {
      return undefined;
    }
    const state = status["StatusString"];
    return state === "succeeded" || state === "failed" ? status : undefined;
  });
}
