import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { systemClock } from "@weir/base";
import { answer, FakeClock, freePort, type HttpServer, serve, until } from "@weir/testing";
import { createRestClient, type RestClientOptions } from "../../src/client/rest-client.ts";
import type { ClusterCredentials } from "../../src/rest/credentials.ts";
import type { RestClient } from "../../src/rest/rest.ts";
import { ConnectionError } from "../../src/rest/transport.ts";

const secret = "s3cret-token";

function credentialsFor(server: string, more: Partial<ClusterCredentials> = {}): ClusterCredentials {
  return {
    server,
    namespace: "default",
    tls: () => Promise.resolve({}),
    headers: () => Promise.resolve({ Authorization: `Bearer ${secret}` }),
    renew: () => false,
    ...more,
  };
}

async function withClient<T>(
  server: HttpServer | string,
  work: (client: RestClient) => Promise<T>,
  options: Partial<RestClientOptions> = {},
): Promise<T> {
  const url = typeof server === "string" ? server : server.url;
  const client = createRestClient({ credentials: credentialsFor(url), userAgent: "weir/test", ...options });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function all(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const line of lines) {
    seen.push(line);
  }
  return seen;
}

describe("the REST client", () => {
  it("sends its identity, accepted formats, and body", async () => {
    await using server = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        const {
          authorization,
          accept,
          "user-agent": agent,
          "content-type": type,
          "accept-encoding": encoding,
        } = request.headers;
        answer(response, {
          status: 200,
          body: { authorization, accept, agent, type, encoding: encoding ?? "none", body },
        });
      });
    });

    const got = await withClient(server, (client) =>
      client.json({
        method: "PATCH",
        path: "/api/v1/namespaces/ns",
        query: { fieldManager: "a b" },
        body: { name: "grüße" },
        contentType: "application/merge-patch+json",
      }),
    );

    assert.deepEqual(got, {
      authorization: `Bearer ${secret}`,
      accept: "application/json",
      agent: "weir/test",
      type: "application/merge-patch+json",
      encoding: "none",
      body: '{"name":"grüße"}',
    });
    assert.deepEqual(server.asked, ["PATCH /api/v1/namespaces/ns?fieldManager=a+b"]);
  });

  it("finds a server under a path", async () => {
    await using server = await serve((_request, response) => answer(response, { status: 200, body: {} }));

    await withClient(`${server.url}/k8s/clusters/c-1`, (client) =>
      client.json({ method: "GET", path: "/version" }),
    );

    assert.deepEqual(server.asked, ["GET /k8s/clusters/c-1/version"]);
  });

  it("says how large an answer is", async () => {
    await using server = await serve((_request, response) => void response.writeHead(200).end('{"a":"ü"}'));
    const sizes: number[] = [];
    const onSize = (bytes: number): void => void sizes.push(bytes);

    await withClient(server, (client) => client.json({ method: "GET", path: "/x", onSize }));

    assert.deepEqual(sizes, [10]);
  });

  it("gives null for an empty answer", async () => {
    await using server = await serve((_request, response) => void response.writeHead(200).end());

    assert.equal(await withClient(server, (client) => client.json({ method: "DELETE", path: "/x" })), null);
  });

  it("throws the error in a Status", async () => {
    const status = { kind: "Status", code: 409, reason: "Conflict", message: "the object has been modified" };
    await using server = await serve((_request, response) => answer(response, { status: 409, body: status }));

    await assert.rejects(
      withClient(server, (client) => client.json({ method: "PUT", path: "/x", body: {} })),
      {
        name: "KubeApiError",
        status: { code: 409, reason: "Conflict", message: "the object has been modified" },
      },
    );
    assert.equal(server.asked.length, 1);
  });

  it("comes again after 429, also with a write", async () => {
    let refusals = 2;
    await using server = await serve((_request, response) => {
      refusals -= 1;
      answer(response, {
        status: refusals >= 0 ? 429 : 201,
        body: { kind: "Status" },
        headers: { "Retry-After": "0" },
      });
    });

    await withClient(server, (client) => client.json({ method: "POST", path: "/x", body: {} }));

    assert.deepEqual(server.asked, ["POST /x", "POST /x", "POST /x"]);
  });

  it("asks for another token once if the server refuses the current one", async () => {
    await using server = await serve((request, response) => {
      answer(response, {
        status: request.headers.authorization === "Bearer new" ? 200 : 401,
        body: {
          kind: "Status",
          message: "no",
        },
      });
    });
    let token = "old";
    const credentials = credentialsFor(server.url, {
      headers: () => Promise.resolve({ Authorization: `Bearer ${token}` }),
      renew: () => {
        token = token === "old" ? "new" : "newer";
        return true;
      },
    });

    await withClient(server, (client) => client.json({ method: "POST", path: "/x", body: {} }), {
      credentials,
    });
    assert.equal(server.asked.length, 2);

    token = "wrong";
    await assert.rejects(
      withClient(server, (client) => client.json({ method: "GET", path: "/x" }), { credentials }),
      { name: "KubeApiError" },
    );
    assert.equal(server.asked.length, 4);
  });

  it("retries reads but not writes if the connection breaks", async () => {
    let breaks = 1;
    await using server = await serve((request, response) => {
      if (breaks > 0) {
        breaks -= 1;
        request.socket.destroy();
      } else {
        answer(response, { status: 200, body: {} });
      }
    });

    await withClient(server, (client) => client.json({ method: "GET", path: "/read" }));
    assert.deepEqual(server.asked, ["GET /read", "GET /read"]);

    breaks = 1;
    await assert.rejects(
      withClient(server, (client) => client.json({ method: "POST", path: "/write", body: {} })),
      { name: "ConnectionError", sent: true },
    );
    assert.deepEqual(server.asked.slice(2), ["POST /write"]);
  });

  it("does not take half an answer for a whole one", async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { "Content-Length": "100" }).write('{"half":', () => response.destroy());
    });

    await assert.rejects(
      withClient(server, (client) => client.json({ method: "POST", path: "/x", body: {} })),
      {
        name: "ConnectionError",
        sent: true,
      },
    );
  });

  it("writes as soon as a server that was away is back", async () => {
    const port = await freePort();
    await using server = await serve((_request, response) => answer(response, { status: 201, body: {} }));
    await new Promise((resolve) => server.server.close(resolve));
    const clock = {
      ...systemClock,
      async sleep(ms: number, signal?: AbortSignal) {
        await new Promise<void>((resolve) => server.server.listen(port, "127.0.0.1", resolve));
        await systemClock.sleep(ms, signal);
      },
    };

    await withClient(
      `http://127.0.0.1:${port}`,
      (client) => client.json({ method: "POST", path: "/x", body: {} }),
      { clock },
    );

    assert.deepEqual(server.asked, ["POST /x"]);
  });

  it("does not overrun a server that resets its connections, however many ask", async () => {
    let connects = 0;
    const server = createServer((socket) => {
      connects += 1;
      socket.resetAndDestroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;

    const outcomes = await withClient(url, (client) => {
      const asked = Array.from({ length: 50 }, () => client.json({ method: "GET", path: "/x" }));
      return Promise.allSettled(asked);
    });

    await new Promise((resolve) => server.close(resolve));
    assert.ok(
      outcomes.every((outcome) => outcome.status === "rejected" && outcome.reason instanceof ConnectionError),
    );
    // All that go at once before anything is known, and then one for each of the other four tries.
    assert.ok(connects <= 32 + 18 + 4, `${connects} connections`);
  });

  it("waits with a probe neither for a server that is away nor for other requests", async () => {
    await using server = await serve((request, response) => {
      if (request.url === "/resets") {
        request.socket.resetAndDestroy();
      } else if (request.url === "/version") {
        answer(response, { status: 200, body: {} });
      }
    });
    const probe = { method: "GET", path: "/version", isProbe: true } as const;
    const others = new AbortController();

    await withClient(
      server,
      async (client) => {
        const ended = client
          .json({ method: "GET", path: "/silent", signal: others.signal })
          .catch(() => undefined);
        assert.deepEqual(await client.json(probe), {});
        others.abort();
        await ended;
        await assert.rejects(client.json({ method: "POST", path: "/resets", body: {} }));
        await assert.rejects(client.json(probe), ConnectionError);
        assert.deepEqual(await client.json({ ...probe, isProbe: false }), {});
      },
      { maxRequests: 1 },
    );

    assert.equal(server.asked.filter((asked) => asked === "GET /version").length, 2);
  });

  it("names the server that it cannot connect to, and no secret", async () => {
    const port = await freePort();

    await assert.rejects(
      withClient(`http://127.0.0.1:${port}`, (client) => client.json({ method: "GET", path: "/x" })),
      (error) =>
        error instanceof Error &&
        error.message ===
          `cannot connect to http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}` &&
        !JSON.stringify(error).includes(secret),
    );
  });

  it("quotes nothing of an answer that is not JSON", async () => {
    await using server = await serve((_request, response) => void response.end(`{"data": ${secret}`));

    await assert.rejects(
      withClient(server, (client) => client.json({ method: "POST", path: "/x" })),
      { name: "ConnectionError", message: `lost the connection to ${server.url}: the response is not JSON` },
    );
  });

  it("gives up a request that takes too long", async () => {
    await using server = await serve(() => undefined);

    await assert.rejects(
      withClient(server, (client) => client.json({ method: "GET", path: "/x" }), { timeoutMs: 50 }),
      {
        name: "ConnectionError",
        message: `lost the connection to ${server.url}: no complete response within 0.05 s`,
      },
    );
  });

  it("ends with the signal's reason", async () => {
    const stopping = new AbortController();
    await using server = await serve(() => stopping.abort(new Error("enough")));

    await assert.rejects(
      withClient(server, (client) => client.json({ method: "GET", path: "/x", signal: stopping.signal })),
      { message: "enough" },
    );
    await assert.rejects(
      withClient(server, (client) => client.json({ method: "GET", path: "/x", signal: stopping.signal })),
      { message: "enough" },
    );
    assert.equal(server.asked.length, 1);
  });

  it("sends no more requests once it is closed", async () => {
    await using server = await serve((_request, response) => answer(response, { status: 200, body: {} }));
    const client = createRestClient({ credentials: credentialsFor(server.url), userAgent: "weir/test" });
    await client.json({ method: "GET", path: "/x" });

    await client.close();

    await assert.rejects(client.json({ method: "GET", path: "/x" }), {
      name: "ConnectionError",
      message: `cannot connect to ${server.url}: the client is closed`,
    });
    assert.equal(server.asked.length, 1);
  });

  it("sends no more requests at once than it may, and all of them", async () => {
    const [count, maxRequests] = [12, 4];
    const open: ServerResponse[] = [];
    const opened: number[] = [];
    await using server = await serve((_request, response) => opened.push(open.push(response)));

    await withClient(
      server,
      async (client) => {
        const all = Promise.all(
          Array.from({ length: count }, () => client.json({ method: "GET", path: "/x" })),
        );
        for (let left = count; left > 0; left -= 1) {
          const most = Math.min(left, maxRequests);
          const response = await until("the requests", () => open.length >= most && open.shift());
          answer(response, { status: 200, body: {} });
        }
        await all;
      },
      { maxRequests },
    );

    assert.equal(server.asked.length, count);
    assert.equal(Math.max(...opened), maxRequests);
  });
});

describe("lines of a REST client", () => {
  it("come as they are sent, however they are cut", async () => {
    await using server = await serve((_request, response) => {
      response.write("one\ntw", () => response.end("o\nthree"));
    });

    const lines = await withClient(server, (client) => all(client.lines({ method: "GET", path: "/watch" })));

    assert.deepEqual(lines, ["one", "two", "three"]);
  });

  it("end with an error if the connection breaks", async () => {
    await using server = await serve((_request, response) => {
      response.write('{"whole":1}\n{"half"', () => response.destroy());
    });
    const seen: string[] = [];

    const watching = withClient(server, async (client) => {
      for await (const line of client.lines({ method: "GET", path: "/watch" })) {
        seen.push(line);
      }
    });

    await assert.rejects(watching, { name: "ConnectionError", sent: true });
    assert.deepEqual(seen, ['{"whole":1}']);
  });

  it("end the request when nobody reads on", async () => {
    const closed = Promise.withResolvers<undefined>();
    await using server = await serve((request, response) => {
      request.socket.once("close", () => closed.resolve(undefined));
      response.write("one\ntwo\n");
    });

    await withClient(server, async (client) => {
      for await (const line of client.lines({ method: "GET", path: "/watch" })) {
        assert.equal(line, "one");
        break;
      }
      await closed.promise;
    });
  });

  it("end with an error if the response has not begun in time, and go on once it has", async () => {
    const clock = new FakeClock();
    const responses: ServerResponse[] = [];
    await using server = await serve((request, response) => {
      if (request.url === "/begun") {
        responses.push(response);
        response.write("one\n");
      }
    });

    await withClient(
      server,
      async (client) => {
        const begun = client.lines({ method: "GET", path: "/begun" })[Symbol.asyncIterator]();
        assert.equal((await begun.next()).value, "one");
        const silent = assert.rejects(all(client.lines({ method: "GET", path: "/silent" })), {
          name: "TimeoutError",
          message: `no response from ${server.url} within 60 s`,
        });
        await until("the server to be asked", () => server.asked.includes("GET /silent"));
        await clock.advance(60_000);
        await silent;

        responses.forEach((response) => response.write("two\n"));
        assert.equal((await begun.next()).value, "two");
      },
      { clock },
    );
    assert.deepEqual(server.asked, ["GET /begun", "GET /silent"]);
  });

  it("do not take the places of other requests", async () => {
    await using server = await serve((request, response) => {
      if (request.url === "/watch") {
        response.write("begun\n");
      } else {
        answer(response, { status: 200, body: {} });
      }
    });
    const stopping = new AbortController();

    await withClient(
      server,
      async (client) => {
        const watches = Array.from({ length: 40 }, () =>
          client.lines({ method: "GET", path: "/watch", signal: stopping.signal })[Symbol.asyncIterator](),
        );
        await Promise.all(watches.map((watch) => watch.next()));

        assert.deepEqual(await client.json({ method: "GET", path: "/x" }), {});

        stopping.abort(new Error("enough"));
        await Promise.all(watches.map((watch) => assert.rejects(watch.next(), { message: "enough" })));
      },
      { maxRequests: 1 },
    );
  });
});
