import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { orAborted } from "@weir/base";
import { until } from "@weir/testing";
import type { HookEndpoint } from "../../../src/webhooks/hook.ts";
import { receiverLimits } from "../../../src/webhooks/receiver.ts";
import { ask, type RawAnswer } from "../../support/raw-http.ts";
import { pathOf, TestReceiver } from "../../support/webhook-receiver.ts";
import { snsMessage, topicArn, webhookSamples } from "../../support/webhook-samples.ts";
import { endpointOf, hmac, sampleKey } from "../../support/webhooks.ts";

const generic = endpointOf("Generic");
const hook = pathOf(generic);
const payload = '{"image":"quay.io/team/web:1"}';
const signature = { "X-Signature": `sha256=${hmac("sha256", payload)}` };
const pushed = { kind: "image", name: { domain: "quay.io", image: "team/web" }, tags: ["1"] };

function post(
  receiver: TestReceiver,
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  return ask(receiver.address, { method: "POST", path, body, headers });
}

describe("a receiver of webhooks", () => {
  for (const { title, endpoint, body, headers, actions } of webhookSamples) {
    it(`tells the daemon what follows from a request, and its sender that it came: ${title}`, async () => {
      await using receiver = await TestReceiver.start([endpoint]);

      const answer = await post(receiver, pathOf(endpoint), body, headers(body));

      assert.deepEqual([answer.status, answer.body], [200, "OK\n"]);
      assert.deepEqual(receiver.changes, actions);
      assert.deepEqual(receiver.outcomes, [[endpoint.name, "accepted"]]);
    });
  }

  it("gives the daemon ten seconds, and then tells the sender that it failed", async () => {
    const notifyChange = (_change: unknown, signal: AbortSignal): Promise<void> =>
      orAborted(new Promise(() => undefined), signal);
    await using receiver = await TestReceiver.start([generic], { notifyChange });

    const answer = post(receiver, hook, payload, signature);
    await receiver.clock.sleeping(10_000);
    await receiver.clock.advance(10_000);

    assert.equal((await answer).status, 500);
  });

  it("answers alike whatever keeps it from believing a request", async () => {
    await using receiver = await TestReceiver.start([generic]);

    const answers = await Promise.all([
      post(receiver, hook, payload),
      post(receiver, hook, payload, { "X-Signature": "sha256=00" }),
      post(receiver, hook, payload, { "X-Signature": "md5=00" }),
      post(receiver, hook, "", { "X-Signature": "sha256=00" }),
    ]);

    assert.deepEqual(
      [...new Set(answers.map(({ status, body }) => `${status} ${body}`))],
      ["401 Unauthorized\n"],
    );
    assert.deepEqual(receiver.changes, []);
  });

  it("says that a request is no good, or not for it", async () => {
    await using receiver = await TestReceiver.start([generic]);
    const bad = { "X-Signature": `sha256=${hmac("sha256", "{")}` };
    const statusOf = async (answer: Promise<RawAnswer>): Promise<number> => (await answer).status;

    assert.equal(await statusOf(post(receiver, hook, "{", bad)), 400);
    for (const path of [
      "/",
      "/hook",
      "/hook/",
      `${hook}/`,
      hook.slice(0, -1),
      hook.toUpperCase(),
      `/x/..${hook}`,
      "*",
      "//",
    ]) {
      assert.equal(await statusOf(post(receiver, path, payload, signature)), 404, path);
    }
    for (const method of ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"]) {
      const answer = await ask(receiver.address, { method, path: hook });
      assert.deepEqual([answer.status, answer.headers.allow], [405, "POST"]);
    }
    assert.deepEqual(receiver.changes, []);
    assert.equal(await statusOf(post(receiver, `${hook}?from=a-proxy`, payload, signature)), 200);
  });

  it("says that it is there", async () => {
    await using receiver = await TestReceiver.start([generic]);

    assert.equal((await ask(receiver.address, { path: "/health" })).status, 200);
    assert.deepEqual(receiver.outcomes, []);
  });

  it("reads no more of a body than the source needs, told or not how long it is", async () => {
    await using receiver = await TestReceiver.start([
      generic,
      endpointOf("DockerHub", { keys: [Buffer.from("b")] }),
    ]);
    const hubHook = pathOf(endpointOf("DockerHub", { keys: [Buffer.from("b")] }));
    const long = (length: number): Buffer => Buffer.alloc(length, 0x20);

    assert.equal((await post(receiver, hook, long((1 << 20) + 1), signature)).status, 413);
    assert.equal(
      (await post(receiver, hook, long((1 << 20) + 1), { ...signature, "Transfer-Encoding": "chunked" }))
        .status,
      413,
    );
    assert.equal((await post(receiver, hook, long(1 << 20), signature)).status, 401);
    assert.equal((await post(receiver, hubHook, long(128 * 1024 + 1))).status, 413);
    assert.deepEqual(
      receiver.outcomes.map(([, outcome]) => outcome),
      ["oversized", "oversized", "unauthorized", "oversized"],
    );
  });

  it("tells once what goes on being refused, and nothing of what was sent", async () => {
    await using receiver = await TestReceiver.start([generic]);

    for (let times = 0; times < 5; times += 1) {
      await post(receiver, hook, '{"image":"body-canary"}', { "X-Signature": "sha256=header-canary" });
    }
    await post(receiver, hook, "{body-canary", { "X-Signature": `sha256=${hmac("sha256", "{body-canary")}` });
    await post(receiver, hook, payload, signature);
    await post(receiver, hook, payload);

    assert.deepEqual(receiver.log.lines, [
      `source=Generic hook=${hook} refused=the signature doesn't match the body and the key`,
      `source=Generic hook=${hook} refused=the payload is not JSON`,
      `source=Generic hook=${hook} refused=the signature is missing`,
    ]);
    assert.doesNotMatch(receiver.log.lines.join("\n"), /canary/);
    assert.ok(sampleKey.includes("canary"), "nor of the key");
  });

  it("says that it was its fault where the daemon fails", async () => {
    const notifyChange = (): Promise<void> => Promise.reject(new Error("a fault"));
    await using receiver = await TestReceiver.start([generic], { notifyChange });

    const answer = await post(receiver, hook, payload, signature);

    assert.deepEqual([answer.status, answer.body], [500, "Internal Server Error\n"]);
    assert.deepEqual(receiver.outcomes, [["Generic", "failed"]]);
  });

  it("confirms the subscription of the right topic", async () => {
    const asked: string[] = [];
    const get = ({ href }: URL): Promise<string> => Promise.resolve(`${asked.push(href)}`);
    const ecr: HookEndpoint = endpointOf("AmazonECR", { topicArn });
    await using receiver = await TestReceiver.start([ecr], { get });
    const SubscribeURL = "https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&Token=token-canary";
    const subscription = { Type: "SubscriptionConfirmation", Token: "token-canary", SubscribeURL };
    const headers = { "X-Amz-Sns-Message-Type": "SubscriptionConfirmation" };

    const right = await post(receiver, pathOf(ecr), snsMessage(subscription), headers);
    const wrong = await post(
      receiver,
      pathOf(ecr),
      snsMessage({ ...subscription, TopicArn: "other" }),
      headers,
    );

    assert.deepEqual([right.status, wrong.status, asked], [200, 401, [SubscribeURL]]);
    assert.doesNotMatch(receiver.log.lines.join("\n"), /canary/);
  });

  it("has SNS ask again where a subscription cannot be confirmed", async () => {
    const ecr = endpointOf("AmazonECR", { topicArn });
    await using receiver = await TestReceiver.start([ecr], {
      get: () => Promise.reject(new Error("no route")),
    });
    const SubscribeURL = "https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&Token=token-canary";
    const body = snsMessage({ Type: "SubscriptionConfirmation", Token: "token-canary", SubscribeURL });

    const { status } = await post(receiver, pathOf(ecr), body, {
      "X-Amz-Sns-Message-Type": "SubscriptionConfirmation",
    });

    assert.equal(status, 503);
    assert.deepEqual(receiver.log.lines, [
      `source=AmazonECR hook=${pathOf(ecr)} refused=cannot confirm the SNS subscription: no route`,
    ]);
  });

  it("takes no request that is hidden in another", async () => {
    await using receiver = await TestReceiver.start([generic]);
    const [, port] = receiver.address.split(":");
    const hidden = `POST ${hook} HTTP/1.1\r\nHost: x\r\nX-Signature: ${signature["X-Signature"]}\r\nContent-Length: ${payload.length}\r\n\r\n${payload}`;
    const both = `POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    const twice = `POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n`;

    for (const head of [both, twice]) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.end(`${head}${hidden}`);
      assert.match(await text(socket), /^HTTP\/1\.1 400 Bad Request\r\n/);
    }
    assert.deepEqual(receiver.changes, []);
  });

  it("is not kept from working by those who hang up", async () => {
    await using receiver = await TestReceiver.start([generic]);
    const half = open(receiver);
    half.end(`POST ${hook} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`);
    await text(half);

    assert.equal((await post(receiver, hook, payload, signature)).status, 200);
    assert.deepEqual(receiver.changes, [pushed]);
  });

  for (const [what, begun] of [
    ["send nothing", ""],
    ["send half of the headers", `POST ${hook} HTTP/1.1\r\nHost: x\r\n`],
    ["send half of the body", `POST ${hook} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`],
  ] as const) {
    it(`answers senders and probes however many connect and ${what}`, async () => {
      await using receiver = await TestReceiver.start([generic]);
      const patient = await connected(receiver, "127.0.0.2");
      const ends: Socket[] = [];
      for (let count = 0; count < 3 * receiverLimits.maxConnections; count += 1) {
        const socket = await connected(receiver, "127.0.0.1");
        socket.write(begun);
        ends.push(socket);
      }
      await until("the oldest to be given up", () => ends[0]?.destroyed === true);

      const [sent, probed] = await Promise.all([
        post(receiver, hook, payload, signature),
        ask(receiver.address, { path: "/health" }),
      ]);

      assert.deepEqual([sent.status, probed.status], [200, 200]);
      assert.deepEqual(receiver.changes, [pushed]);
      patient.end("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      assert.match(await text(patient), /^HTTP\/1\.1 200 /, "one of another address is kept");
      ends.forEach((socket) => socket.destroy());
    });
  }

  it("gives up no request that it works on", async () => {
    const work = Promise.withResolvers<undefined>();
    await using receiver = await TestReceiver.start([generic], { notifyChange: () => work.promise });
    const asked = Array.from({ length: receiverLimits.maxConnections }, () =>
      post(receiver, hook, payload, signature),
    );
    await until("all to be worked on", () => receiver.changes.length === asked.length);

    await assert.rejects(post(receiver, hook, payload, signature), "a further one is turned away");
    work.resolve(undefined);

    const answers = await Promise.all(asked);
    assert.ok(answers.every(({ status }) => status === 200));
  });

  it("waits for no slow sender for ever", async () => {
    await using receiver = await TestReceiver.start([generic], { requestTimeout: 100 });
    const [, port] = receiver.address.split(":");
    const slow = connect(Number(port), "127.0.0.1");

    slow.write(`POST ${hook} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`);

    assert.match(await text(slow), /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.deepEqual(receiver.changes, []);
  });
});

function open(receiver: TestReceiver, localAddress = "127.0.0.1"): Socket {
  const [host = "", port] = receiver.address.split(":");
  // Who is given up hears of it by a reset.
  return connect({ host, port: Number(port), localAddress }).on("error", () => undefined);
}

async function connected(receiver: TestReceiver, localAddress: string): Promise<Socket> {
  const socket = open(receiver, localAddress).resume();
  await once(socket, "connect");
  return socket;
}
