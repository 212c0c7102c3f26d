import type { ApiAnswer, ApiCall } from "./scripted-api.ts";

/** The commit that a scripted sync is about. */
export const syncedRevision = "0123456789abcdef0123456789abcdef01234567";

/** How a daemon answers what a sync asks it up to the end of its job, which is in that state; undefined for other calls. */
export function answerSync({ line }: ApiCall, state = "succeeded"): ApiAnswer | undefined {
  if (line === "POST /v9/git-repo-config") {
    return {
      json: { remote: { url: "ssh://git/repo", branch: "main" }, publicSSHKey: { key: "" }, status: "ready" },
    };
  }
  if (line === "POST /v9/update-manifests") {
    return { json: "job" };
  }
  if (line === "GET /v12/last-sync") {
    return {
      json: { revision: "", endedAt: "", failure: "", errors: [], isRunning: false, waitingFor: [] },
    };
  }
  return line.startsWith("GET /v6/jobs")
    ? { json: { Result: { revision: syncedRevision }, Err: "", StatusString: state } }
    : undefined;
}
