import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { TLSSocket } from "node:tls";
import { isJsonObject, systemClock } from "@weir/base";
import {
  answer,
  type ControlPlane,
  FakeClock,
  freshNamespace,
  missing,
  Relay,
  serve,
  startControlPlane,
  TempFolder,
  until,
} from "@weir/testing";
import { loadKubeConfig } from "../../../src/client/kube-config.ts";
import { portForward } from "../../../src/client/port-forward.ts";
import { createRestClient, type RestClientOptions } from "../../../src/client/rest-client.ts";
import { listWatch } from "../../../src/rest/list-watch.ts";
import type { RestClient } from "../../../src/rest/rest.ts";

const configMaps = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
  verbs: ["list", "watch"],
};

describe("against a real API server", { skip: missing() }, () => {
  let plane: ControlPlane;
  before(async () => (plane = await startControlPlane()));
  after(() => plane.stop());

  /** A client of the control plane; through the relay where there is one. */
  async function connect(relay?: Relay, options: Partial<RestClientOptions> = {}): Promise<RestClient> {
    using folder = new TempFolder();
    const url = relay === undefined ? plane.url : `https://127.0.0.1:${await relay.listen()}`;
    const config = readFileSync(plane.kubeconfigPath, "utf8")
      .replaceAll(plane.url, url)
      .replaceAll("certs/", join(dirname(plane.kubeconfigPath), "certs/"));
    const credentials = await loadKubeConfig({ kubeconfig: folder.write("config", config), env: {} });
    return createRestClient({ credentials, userAgent: "weir/test", ...options });
  }

  function relayToPlane(): Relay {
    return new Relay(Number(new URL(plane.url).port));
  }

  function configMap(name: string): object {
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name } };
  }

  describe("the REST client", () => {
    it("makes, reads, changes and deletes objects", async () => {
      const client = await connect();
      const path = `/api/v1/namespaces/${await freshNamespace(plane)}/configmaps`;
      const patch = {
        method: "PATCH",
        path: `${path}/a`,
        contentType: "application/merge-patch+json",
      } as const;

      await client.json({ method: "POST", path, body: configMap("a") });
      const changed = await client.json({ ...patch, body: { data: { key: "value" } } });
      const read = await client.json({ method: "GET", path: `${path}/a` });
      await client.json({ method: "DELETE", path: `${path}/a` });

      assert.deepEqual(read, changed);
      await assert.rejects(client.json({ method: "GET", path: `${path}/a` }), {
        name: "KubeApiError",
        status: {
          code: 404,
          reason: "NotFound",
          message: 'configmaps "a" not found',
          details: { name: "a", kind: "configmaps" },
        },
      });
      await client.close();
    });

    it("has a connection for each hundred watches", async () => {
      await using relay = relayToPlane();
      const client = await connect(relay);
      const stopping = new AbortController();

      await Promise.all(Array.from({ length: 230 }, () => watchFirst(client, "default", stopping.signal)));
      await client.json({ method: "GET", path: "/version" });

      assert.equal(relay.connections, 1 + 3);
      stopping.abort();
      await client.close();
    });

    it("connects again after its connection broke", async () => {
      await using relay = relayToPlane();
      const client = await connect(relay);
      await client.json({ method: "GET", path: "/version" });

      relay.cut();
      await client.json({ method: "GET", path: "/version" });

      assert.equal(relay.connections, 2);
      await client.close();
    });

    it("notices a connection that is dead without a word", async () => {
      await using relay = relayToPlane();
      const clock = new FakeClock();
      const client = await connect(relay, { clock });
      const path = `/api/v1/namespaces/${await freshNamespace(plane)}/configmaps`;
      await client.json({ method: "GET", path });

      relay.freeze();
      const stuck = client.json({ method: "POST", path, body: configMap("a") });
      const told = assert.rejects(stuck, {
        name: "ConnectionError",
        sent: true,
        message: /the server stopped responding$/,
      });
      await clock.sleeping(30_000);
      await clock.advance(30_000);
      await clock.sleeping(15_000);
      await clock.advance(15_000);

      await told;
      await client.close();
    });

    it("does not connect to an untrusted server, unless configured to", async () => {
      using folder = new TempFolder();
      const config = (cluster: object): string =>
        JSON.stringify({
          "current-context": "c",
          clusters: [{ name: "c", cluster: { server: plane.url, ...cluster } }],
          users: [{ name: "c", user: { token: plane.token } }],
          contexts: [{ name: "c", context: { cluster: "c", user: "c" } }],
        });
      const ask = async (text: string): Promise<unknown> => {
        const credentials = await loadKubeConfig({ kubeconfig: folder.write("config", text), env: {} });
        const client = createRestClient({ credentials, userAgent: "weir/test" });
        try {
          return await client.json({ method: "GET", path: "/version" });
        } finally {
          await client.close();
        }
      };

      await assert.rejects(ask(config({})), { name: "ConnectionError", message: /self-signed certificate/ });
      await assert.rejects(
        ask(config({ "certificate-authority-data": btoa(plane.ca), "tls-server-name": "other" })),
        {
          name: "ConnectionError",
          message: /Hostname\/IP does not match certificate/,
        },
      );
      assert.ok(isJsonObject(await ask(config({ "insecure-skip-tls-verify": true }))));
    });
  });

  describe("a server that speaks only HTTP/1.1 over TLS", () => {
    it("is spoken to in its own way, and shown the certificate of the kubeconfig", async () => {
      const file = (name: string): string => join(dirname(plane.kubeconfigPath), "certs", name);
      const [cert, key] = [
        readFileSync(file("apiserver.crt"), "utf8"),
        readFileSync(file("apiserver.key"), "utf8"),
      ];
      const seen: unknown[] = [];
      await using server = await serve(
        ({ socket, httpVersion }, response) => {
          const peer = socket instanceof TLSSocket ? socket.getPeerCertificate().serialNumber : "";
          seen.push([httpVersion, peer === new X509Certificate(cert).serialNumber]);
          answer(response, { status: 200, body: {} });
        },
        { cert, key, requestCert: true },
      );
      using folder = new TempFolder();
      const config = {
        "current-context": "c",
        clusters: [
          { name: "c", cluster: { server: server.url, "certificate-authority": file("apiserver.crt") } },
        ],
        users: [
          {
            name: "c",
            user: { "client-certificate": file("apiserver.crt"), "client-key": file("apiserver.key") },
          },
        ],
        contexts: [{ name: "c", context: { cluster: "c", user: "c" } }],
      };
      const kubeconfig = folder.write("config", JSON.stringify(config));
      const client = createRestClient({
        credentials: await loadKubeConfig({ kubeconfig, env: {} }),
        userAgent: "weir/test",
      });

      await client.json({ method: "GET", path: "/version" });

      assert.deepEqual(seen, [["1.1", true]]);
      await client.close();
    });
  });

  describe("portForward", () => {
    it("passes on why the API server does not forward", async () => {
      const credentials = await loadKubeConfig({ kubeconfig: plane.kubeconfigPath, env: {} });
      const namespace = await freshNamespace(plane);
      const client = await connect();
      const spec = { containers: [{ name: "main", image: "none" }] };
      const body = { apiVersion: "v1", kind: "Pod", metadata: { name: "waiting" }, spec };
      await client.json({ method: "POST", path: `/api/v1/namespaces/${namespace}/pods`, body });

      await assert.rejects(portForward({ credentials, namespace, pod: "none", port: 3030 }), {
        name: "KubeApiError",
        message: 'pods "none" not found',
      });
      await assert.rejects(portForward({ credentials, namespace, pod: "waiting", port: 3030 }), {
        name: "KubeApiError",
        message: "pod waiting does not have a host assigned",
      });
      await client.close();
    });
  });

  describe("listWatch", () => {
    it("lists more than a page, and sees what changes then", async () => {
      const client = await connect();
      const namespace = await freshNamespace(plane);
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const names = Array.from({ length: 501 }, (_, i) => `map-${i}`);
      await Promise.all(names.map((name) => client.json({ method: "POST", path, body: configMap(name) })));
      const { signal } = new AbortController();
      const events = listWatch({ client, clock: systemClock, resource: configMaps, namespace, signal });

      await events.next();
      const { value: listed } = await events.next();
      await client.json({ method: "DELETE", path: `${path}/map-7` });
      const { value: deleted } = await events.next();

      assert.ok(listed?.kind === "listed" && deleted?.kind === "deleted");
      assert.deepEqual(new Set(listed.objects.map(({ metadata }) => metadata.name)), new Set(names));
      assert.deepEqual(Object.keys(deleted.object.metadata).sort(), [
        "creationTimestamp",
        "name",
        "namespace",
        "resourceVersion",
        "uid",
      ]);
      await events.return();
      await client.close();
    });

    it("misses nothing even if its connection breaks repeatedly", async () => {
      await using relay = relayToPlane();
      const client = await connect(relay);
      const namespace = await freshNamespace(plane);
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const writer = await connect();
      const stopping = new AbortController();
      const seen: string[] = [];
      let lists = 0;
      const { signal } = stopping;
      const watching = (async () => {
        for await (const event of listWatch({
          client,
          clock: systemClock,
          resource: configMaps,
          namespace,
          signal,
        })) {
          lists += event.kind === "listed" ? 1 : 0;
          seen.push(...(event.kind === "changed" ? [event.object.metadata.name ?? ""] : []));
        }
      })();
      await until("the list", () => lists === 1);

      const names = Array.from({ length: 50 }, (_, i) => `map-${i}`);
      for (const [i, name] of names.entries()) {
        await writer.json({ method: "POST", path, body: configMap(name) });
        if (i % 10 === 5) {
          relay.cut();
        }
      }
      await until("the last object", () => seen.includes("map-49"));

      assert.deepEqual([seen, lists], [names, 1]);
      stopping.abort();
      await watching;
      await Promise.all([client.close(), writer.close()]);
    });
  });
});

/** Resolves when the first line of a watch has come; the watch goes on until the signal. */
async function watchFirst(client: RestClient, namespace: string, signal: AbortSignal): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/services`;
  const lines = client.lines({ method: "GET", path, query: { watch: "1" }, signal })[Symbol.asyncIterator]();
  await lines.next();
  lines.next().catch(() => undefined);
}
