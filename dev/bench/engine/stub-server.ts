/**
 * An API server that lists and watches objects which it makes up, so that measurements of a client with 100,000
 * objects needn't wait for etcd. Arguments: kinds and their numbers, such as ConfigMap=100000. Prints its URL.
 * POST /touch/<kind>/<index> changes an object.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { makeStub, type StubKind, stubKinds } from "./stub-objects.ts";

const counts = new Map(
  process.argv.slice(2).map((each) => {
    const [kind = "", count = "0"] = each.split("=");
    return [kind, Number(count)] as const;
  }),
);
const served = stubKinds.filter(({ kind }) => counts.has(kind));
const watchers = new Map<string, Set<ServerResponse>>();
let version = 1_000_000;

const server = createServer(answer);
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://stub");
  const [, touch, kindName, index] = url.pathname.split("/");
  const kind = served.find((each) => url.pathname.startsWith(each.path));
  if (touch === "touch") {
    change(kindName ?? "", Number(index));
    send(response, {});
  } else if (url.pathname === "/api" || url.pathname === "/apis") {
    send(response, discovery(url.pathname === "/api"));
  } else if (kind === undefined) {
    response.statusCode = 404;
    send(response, { kind: "Status", code: 404, reason: "NotFound", message: "not found" });
  } else if (url.searchParams.get("watch") === "1") {
    watch(kind, request, response);
  } else {
    list(kind, url.searchParams, isMetadata(request), response);
  }
}

function isMetadata({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("as=PartialObjectMetadata") === true;
}

function list(kind: StubKind, query: URLSearchParams, metadataOnly: boolean, response: ServerResponse): void {
  const count = counts.get(kind.kind) ?? 0;
  const from = Number(query.get("continue") ?? 0);
  const to = Math.min(count, from + Number(query.get("limit") ?? count));
  const items = Array.from({ length: to - from }, (_, at) => {
    const { apiVersion, kind: name, metadata, ...body } = makeStub(kind, from + at);
    return metadataOnly ? { apiVersion, kind: name, metadata } : { metadata, ...body };
  });
  const metadata = { resourceVersion: String(version), ...(to < count ? { continue: String(to) } : {}) };
  send(response, { kind: `${kind.kind}List`, apiVersion: kind.apiVersion, metadata, items });
}

function watch(kind: StubKind, request: IncomingMessage, response: ServerResponse): void {
  const open = watchers.get(kind.kind) ?? new Set();
  watchers.set(kind.kind, open.add(response));
  request.on("close", () => open.delete(response));
  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
}

function change(kindName: string, index: number): void {
  const kind = served.find((each) => each.kind === kindName);
  if (kind === undefined) {
    return;
  }
  version += 1;
  const object = makeStub(kind, index);
  const metadata = { ...object.metadata, resourceVersion: String(version) };
  const line = `${JSON.stringify({ type: "MODIFIED", object: { ...object, metadata } })}\n`;
  watchers.get(kindName)?.forEach((response) => response.write(line));
}

function discovery(isCore: boolean): object {
  const groups = [...new Set(served.map(({ group }) => group))].filter((group) => (group === "") === isCore);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    items: groups.map((group) => ({
      metadata: { name: group },
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: served
            .filter((each) => each.group === group)
            .map(({ kind, plural }) => ({
              resource: plural,
              responseKind: { group, version: "v1", kind },
              scope: "Namespaced",
              verbs: ["get", "list", "watch", "patch"],
            })),
        },
      ],
    })),
  };
}

function send(response: ServerResponse, body: object): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}
