import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { describe, it } from "node:test";
import { selfSigned } from "@weir/embedded-cluster";
import { noCredentials } from "@weir/flux";
import { createTransport } from "@weir/http";
import { serve } from "@weir/testing";
import { TestClients } from "../../support/registry-clients.ts";
import { serveRegistry } from "../../support/registry-stand-in.ts";

const never = new AbortController().signal;
/** A name that only the proxy knows. */
const domain = "registry.test";

describe("a registry behind a proxy", () => {
  it("is asked through a tunnel, but not where the environment says so", async () => {
    const { key, certificate: cert } = selfSigned(Date.now());
    await using registry = await serveRegistry(() => false, { key, cert });
    await using proxy = await serve(() => undefined);
    const tunnels: string[] = [];
    proxy.server.on("connect", (request, socket: Socket) => {
      tunnels.push(request.url ?? "");
      const target = connect(Number(new URL(registry.url).port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(target).pipe(socket);
      });
      [socket, target].forEach((each) => each.on("error", () => undefined));
    });
    const proxies = { http: "", https: proxy.url, no: "quay.test" };
    await using clients = new TestClients({
      transport: createTransport({ connections: 2, proxies }),
      insecureHosts: [domain],
    });
    const tagsOf = (host: string): Promise<readonly string[]> =>
      clients.clientFor({ domain: host, image: "app" }, noCredentials).tags(never);

    assert.deepEqual(await tagsOf(domain), ["1"]);
    assert.ok(tunnels.length > 0 && tunnels.every((each) => each === `${domain}:443`), tunnels.join());
    const before = tunnels.length;
    await assert.rejects(tagsOf("quay.test"), /^RegistryError: quay\.test\/app: /);
    assert.equal(tunnels.length, before);
  });
});
