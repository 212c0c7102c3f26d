import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, it } from "node:test";
import { type Clock, systemClock } from "@weir/base";
import { answer, FakeClock, serve } from "@weir/testing";
import type { ApiResource } from "../../src/api-resource.ts";
import { createRestClient } from "../../src/client/rest-client.ts";
import { listWatch } from "../../src/rest/list-watch.ts";

const resource: ApiResource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
  verbs: ["list", "watch"],
};

function item(name: string, resourceVersion: string): object {
  return { metadata: { name, namespace: "ns", resourceVersion } };
}

function added(name: string, resourceVersion: string): string {
  return `${JSON.stringify({ type: "ADDED", object: item(name, resourceVersion) })}\n`;
}

/**
 * What a list-watch tells, over real connections, of a server that lists one object at version 5 and answers its
 * watches with `watches`, one after the other; until it has told `count` things.
 */
async function tell(
  count: number,
  watches: readonly ((response: ServerResponse) => void)[],
  clock: Clock = systemClock,
) {
  const script = [...watches];
  const versions: string[] = [];
  await using server = await serve((request, response) => {
    const query = new URL(request.url ?? "", "http://host").searchParams;
    if (query.get("watch") === null) {
      answer(response, {
        status: 200,
        body: { metadata: { resourceVersion: "5" }, items: [item("listed", "5")] },
      });
    } else {
      versions.push(query.get("resourceVersion") ?? "");
      script.shift()?.(response);
    }
  });
  const credentials = {
    server: server.url,
    namespace: "default",
    tls: () => Promise.resolve({}),
    headers: () => Promise.resolve({}),
    renew: () => false,
  };
  const client = createRestClient({ credentials, userAgent: "weir/test", clock });
  const stopping = new AbortController();
  const told: string[] = [];
  const { signal } = stopping;
  for await (const event of listWatch({
    client,
    clock,
    resource,
    namespace: "",
    signal,
    random: () => 1,
  })) {
    if (event.kind === "changed" || event.kind === "deleted") {
      told.push(`${event.kind} ${event.object.metadata.name ?? ""}`);
    } else {
      told.push(event.kind === "failed" ? `failed ${event.error.name}` : event.kind);
    }
    if (told.length === count) {
      break;
    }
  }
  stopping.abort();
  await client.close();
  return { told, versions };
}

describe("listWatch over HTTP", () => {
  it("resumes if a connection breaks in the middle of a line", async () => {
    const half = added("b", "7").slice(0, 30);

    const { told, versions } = await tell(5, [
      (response) => {
        response.write(added("a", "6") + half, () => response.destroy());
      },
      (response) => response.write(added("b", "7")),
    ]);

    assert.deepEqual(told, ["listing", "listed", "changed a", "failed ConnectionError", "changed b"]);
    assert.deepEqual(versions, ["5", "6"]);
  });

  it("lists again if the server ends the response in the middle of a line", async () => {
    const { told } = await tell(5, [(response) => response.end(added("b", "7").slice(0, 30))]);

    assert.deepEqual(told, ["listing", "listed", "failed MalformedAnswerError", "listing", "listed"]);
  });

  it("resumes if the server accepts a watch and never answers it", async () => {
    const clock = new FakeClock();

    const { told, versions } = await tell(
      4,
      [
        async () => {
          await clock.advance(60_000);
          // The wait before the next attempt.
          await clock.sleeping((ms) => ms < 1_000);
          await clock.advance(1_000);
        },
        (response) => response.write(added("a", "6")),
      ],
      clock,
    );

    assert.deepEqual(told, ["listing", "listed", "failed TimeoutError", "changed a"]);
    assert.deepEqual(versions, ["5", "5"]);
  });

  it("puts together a line that comes byte by byte", async () => {
    const bytes = Buffer.from(added("größe", "6"));

    const { told } = await tell(3, [
      async (response) => {
        for (const byte of bytes) {
          await new Promise((written) => response.write(Buffer.of(byte), written));
        }
      },
    ]);

    assert.deepEqual(told, ["listing", "listed", "changed größe"]);
  });
});
