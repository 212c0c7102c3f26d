import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { answer, serve } from "@weir/testing";
import { WebSocketServer } from "ws";

const protocol = "v4.channel.k8s.io";

/** An API server as far as finding a pod and forwarding its port go. */
export interface ClusterStandIn extends AsyncDisposable {
  readonly url: string;
  /** What it was asked, pods and websockets, in order. */
  readonly asked: readonly string[];
}

/**
 * Lists as running what `podsOf` names for a namespace and a label selector, and leads every forwarded port to
 * `port` of this machine. `others` answers what else is asked, by "GET /path" without a query, and the body.
 */
export async function startClusterStandIn(
  podsOf: (namespace: string, selector: string) => readonly string[],
  port: number,
  others: (line: string, body: string) => object | undefined = () => undefined,
): Promise<ClusterStandIn> {
  const web = await serve((request, response) => {
    const url = new URL(request.url ?? "", "http://host");
    const namespace = /^\/api\/v1\/namespaces\/([^/]+)\/pods$/.exec(url.pathname)?.[1];
    if (namespace !== undefined && url.searchParams.get("fieldSelector") === "status.phase=Running") {
      const pods = podsOf(namespace, url.searchParams.get("labelSelector") ?? "");
      answer(response, {
        status: 200,
        body: { kind: "PodList", items: pods.map((name) => ({ metadata: { name } })) },
      });
      return;
    }
    void text(request).then((body) => {
      const other = others(`${request.method ?? ""} ${url.pathname}`, body);
      answer(response, {
        status: other === undefined ? 404 : 200,
        body: other ?? { kind: "Status", code: 404, message: "no such thing" },
      });
    });
  });
  const websockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  });
  web.server.on("upgrade", (request, socket, head) => {
    web.asked.push(`UPGRADE ${request.url ?? ""}`);
    websockets.handleUpgrade(request, socket, head, (websocket) => {
      websocket.send(Buffer.from([0, 0, 0]));
      websocket.send(Buffer.from([1, 0, 0]));
      const pod = connect(port, "127.0.0.1");
      pod.on("data", (data) => websocket.send(Buffer.concat([Buffer.of(0), data])));
      pod.on("error", () => websocket.close());
      pod.on("close", () => websocket.close());
      websocket.on("message", (data: Buffer) => pod.write(data.subarray(1)));
      websocket.on("close", () => pod.destroy());
    });
  });
  return { url: web.url, asked: web.asked, [Symbol.asyncDispose]: () => web[Symbol.asyncDispose]() };
}

/** A kubeconfig with two contexts: `current`, in the namespace `here`, and `other`, in `there`. */
export function kubeconfigFor(server: string): string {
  return `apiVersion: v1
kind: Config
current-context: current
clusters: [{name: c, cluster: {server: "${server}"}}]
users: [{name: u, user: {}}]
contexts:
- {name: current, context: {cluster: c, user: u, namespace: here}}
- {name: other, context: {cluster: c, user: u, namespace: there}}
`;
}
