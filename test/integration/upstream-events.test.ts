import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, it } from "node:test";
import { upstreamLimits } from "@weir/base";
import { FluxError, type FluxEvent, parseResourceId } from "@weir/flux";
import { RequestError } from "@weir/flux/client";
import { answer, answerForever, FakeClock, freePort, serve, until } from "@weir/testing";
import { EventPoster } from "../../src/api/upstream/event-poster.ts";

const { signal } = new AbortController();
const event: FluxEvent = {
  workloads: [parseResourceId("ns:deployment/a")],
  startedAt: new Date("2026-01-02T03:04:05Z"),
  endedAt: new Date("2026-01-02T03:04:06.5Z"),
  logLevel: "info",
  detail: {
    type: "sync",
    commits: [{ revision: "abc", message: "a <b>" }],
    includes: { other: true },
    errors: [],
    initialSync: true,
  },
};
const body =
  '{"id":0,"serviceIDs":["ns:deployment/a"],"type":"sync","startedAt":"2026-01-02T03:04:05Z","endedAt":"2026-01-02T03:04:06.5Z","logLevel":"info","metadata":{"commits":[{"revision":"abc","message":"a \\u003cb\\u003e"}],"includes":{"other":true},"initialSync":true}}';

describe("an event for the upstream", () => {
  it("is posted as Flux v1 posts it", async () => {
    const requests: IncomingMessage[] = [];
    let posted = "";
    await using web = await serve((request, response) => {
      requests.push(request);
      request.on("data", (chunk: Buffer) => (posted += chunk.toString())).on("end", () => response.end());
    });

    await post(web.url);

    const [request] = requests;
    assert.deepEqual(web.asked, ["POST /base/v6/events"]);
    assert.equal(request?.headers.accept, "application/json");
    assert.equal(request.headers.authorization, "Scope-Probe token=t0ken");
    assert.equal(request.headers["content-type"], undefined);
    assert.equal(posted, body);
  });

  for (const status of [200, 201, 202, 204]) {
    it(`is delivered with ${status}`, async () => {
      await using web = await serve((_request, response) => response.writeHead(status).end());

      await post(web.url);
    });
  }

  const refusals: readonly (readonly [what: string, (response: ServerResponse) => unknown, RegExp])[] = [
    ["401", (response) => response.writeHead(401).end(), /^request failed authentication$/],
    ["403", (response) => response.writeHead(403).end("go away"), /403 Forbidden go away$/],
    ["a redirect", (response) => response.writeHead(302, { Location: "/x" }).end(), /302 Found/],
    [
      "an error of the API",
      (response) => answer(response, { status: 422, body: { type: "user", help: "", error: "no" } }),
      /^no$/,
    ],
    ["a broken error", (response) => answer(response, { status: 500, body: [] }), /500|should be an object/],
    ["nothing", (response) => response.destroy(), /EOF$/],
  ];
  for (const [what, refuse, message] of refusals) {
    it(`is not delivered where the answer is ${what}`, async () => {
      await using web = await serve((_request, response) => refuse(response));

      await assert.rejects(post(web.url), (error) => {
        assert.ok(error instanceof RequestError || error instanceof FluxError);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /t0ken/);
        return true;
      });
    });
  }

  for (const status of [200, 202, 301, 500]) {
    it(`is given up where the answer, a ${status}, does not end`, async () => {
      let sent: Promise<number> | undefined;
      await using web = await serve((_request, response) => {
        sent = answerForever(response, status);
      });

      await assert.rejects(post(web.url), (error) => {
        assert.ok(error instanceof RequestError);
        assert.match(
          error.message,
          /\/base\/v6\/events": \d+ [\w ]+: the response is larger than 1048576 bytes$/,
        );
        return true;
      });
      // What the sockets hold may have left the server, too.
      assert.ok(((await sent) ?? 0) < 64 * upstreamLimits.eventAnswer);
    });
  }

  it("is not delivered where nobody listens, nor where no answer comes within 10 s", async () => {
    const clock = new FakeClock();
    await using web = await serve(() => undefined);
    const silent = assert.rejects(
      post(web.url, clock),
      /^RequestError: Post "[^"]+": no response within 10 s$/,
    );
    await until("the request", () => web.asked.length === 1);
    await clock.advance(10_000);

    await silent;
    await assert.rejects(post(`http://127.0.0.1:${await freePort()}`), /connection refused$/);
  });
});

async function post(url: string, clock = new FakeClock()): Promise<void> {
  const poster = new EventPoster({
    url: new URL(`${url}/base/v6/events`),
    userAgent: "fluxd/test",
    token: "t0ken",
    clock,
  });
  try {
    await poster.post(event, signal);
  } finally {
    poster.close();
  }
}
