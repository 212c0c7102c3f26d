import { isJsonArray, isJsonObject } from "@weir/base";
import type { RestClient, RestRequest } from "@weir/kube/rest";

/** The same client, but it only sends reads, access reviews, and dry runs; it refuses everything else. */
export function readOnlyClient(client: RestClient): RestClient {
  return {
    server: client.server,
    async json(request) {
      if (!isReadOnly(request)) {
        throw new WriteRefusedError(request);
      }
      return client.json(request);
    },
    lines(request) {
      if (request.method !== "GET") {
        throw new WriteRefusedError(request);
      }
      return client.lines(request);
    },
    close: () => client.close(),
  };
}

/** A request that would change the cluster, and so isn't sent. */
export class WriteRefusedError extends Error {
  override readonly name = "WriteRefusedError";

  constructor({ method, path }: RestRequest) {
    super(`${method} ${path} isn't sent because it would change the cluster`);
  }
}

function isReadOnly({ method, path, query, body }: RestRequest): boolean {
  const isQuestion = method === "POST" && /^\/apis\/authorization\.k8s\.io\/v1\/[a-z]+reviews$/.test(path);
  return method === "GET" || isQuestion || query?.["dryRun"] === "All" || isDryDeletion(method, body);
}

/** For a deletion, the dry run is in the body. */
function isDryDeletion(method: RestRequest["method"], body: RestRequest["body"]): boolean {
  const dryRun = isJsonObject(body) ? body["dryRun"] : undefined;
  return method === "DELETE" && isJsonArray(dryRun) && dryRun[0] === "All";
}
