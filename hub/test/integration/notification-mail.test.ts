import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { systemClock } from "@weir/base";
import { createTransport } from "@weir/http";
import { snsCertificate, snsKey } from "@weir/testing";
import { fc, runs } from "@weir/testing/property";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { channelSettings } from "../../src/notify/channel.ts";
import { Courier } from "../../src/notify/courier.ts";
import type { Outcome } from "../../src/notify/retry.ts";
import { anyText, notableEvent } from "../support/notable-events.ts";

const transport = createTransport({ connections: 1 });
after(() => transport.close());

const { signal } = new AbortController();

/** A mail as a server got it. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly secure: boolean;
}

/** A mail server on a loopback port, with a certificate that nobody knows. */
class MailServer implements AsyncDisposable {
  readonly received: ReceivedMail[] = [];
  readonly #server: SMTPServer;
  port = 0;

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      key: snsKey,
      cert: snsCertificate,
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          this.received.push({
            from: session.envelope.mailFrom === false ? "" : session.envelope.mailFrom.address,
            to: session.envelope.rcptTo.map(({ address }) => address),
            text: Buffer.concat(chunks).toString("utf8"),
            secure: session.secure,
          });
          callback();
        });
      },
      ...options,
    });
    this.#server.on("error", () => undefined);
  }

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    const listening = server.#server.listen(0, "127.0.0.1");
    await new Promise<void>((resolve) => listening.once("listening", resolve));
    const address = listening.address();
    server.port = typeof address === "object" && address !== null ? address.port : 0;
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function send(
  { port }: MailServer,
  settings: object = {},
  { message = "Sync: 4b825dc", name = "prod-eu", privateHosts = ["127.0.0.1"] } = {},
): Promise<Outcome> {
  const courier = new Courier({ transport, privateHosts, clock: systemClock });
  const event = notableEvent({ message, instance: { id: "i1", name } });
  const mail = {
    kind: "mail",
    host: "127.0.0.1",
    port,
    security: "none",
    from: "weir@example.com",
    to: ["team@example.com", "ops@example.org"],
    ...settings,
  };
  return courier.deliver({ id: "msg_1", events: [event], template: {} }, channelSettings.parse(mail), signal);
}

describe("a mail", () => {
  it("has a text and a page, and says that a program wrote it", async () => {
    await using server = await MailServer.start();

    const outcome = await send(server, {}, { message: "<b>cart</b>" });

    const [mail] = server.received;
    assert.equal(outcome.kind, "delivered");
    assert.deepEqual([mail?.from, mail?.to], ["weir@example.com", ["team@example.com", "ops@example.org"]]);
    assert.match(mail?.text ?? "", /^From: Weir <weir@example\.com>\r$/m);
    assert.match(mail?.text ?? "", /^Subject: \[error\] prod-eu: sync\r$/m);
    assert.match(mail?.text ?? "", /^Message-ID: <msg_1@example\.com>\r$/m);
    assert.match(mail?.text ?? "", /^Auto-Submitted: auto-generated\r$/m);
    assert.match(mail?.text ?? "", /^<b>cart<\/b>\r$/m);
    assert.match(mail?.text.replaceAll("=\r\n", "") ?? "", /&lt;b&gt;cart&lt;\/b&gt;/);
  });

  it("has only headers of ours, whatever a name is", async () => {
    await using server = await MailServer.start();
    const ours = [
      "From",
      "To",
      "Subject",
      "Message-ID",
      "Auto-Submitted",
      "X-Auto-Response-Suppress",
      "Date",
      "MIME-Version",
      "Content-Type",
    ].toSorted();

    await fc.assert(
      fc.asyncProperty(anyText(), async (text) => {
        const outcome = await send(server, {}, { name: text, message: text });
        const [head = ""] = (server.received.at(-1)?.text ?? "").split("\r\n\r\n", 1);
        const names = [...head.replaceAll(/\r\n[ \t]/g, " ").matchAll(/^([^:\r\n]*):/gm)].map(
          ([, name]) => name,
        );

        assert.equal(outcome.kind, "delivered");
        assert.deepEqual(names.toSorted(), ours);
        assert.deepEqual(server.received.at(-1)?.to, ["team@example.com", "ops@example.org"]);
      }),
      runs(15),
    );
  });

  it("isn't sent without TLS to a server that should have it", async () => {
    await using server = await MailServer.start({ hideSTARTTLS: true, disabledCommands: ["STARTTLS"] });

    const outcome = await send(server, { security: "starttls", user: "weir", password: "hunter2-hunter2" });

    assert.equal(outcome.kind, "refused");
    assert.deepEqual(server.received, []);
  });

  it("isn't sent to a server whose certificate nobody vouches for", async () => {
    await using server = await MailServer.start();

    const outcome = await send(server, { security: "starttls" });

    assert.ok(outcome.kind === "unavailable" && /certificate|self-signed/.test(outcome.reason), outcome.kind);
    assert.deepEqual(server.received, []);
  });

  it("isn't tried again when the password is wrong, which nobody sees", async () => {
    await using server = await MailServer.start({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username = "", password = "" }, _session, callback) => {
        callback(new Error(`no ${username} with ${password}`));
      },
    });

    const outcome = await send(server, { user: "weir", password: "hunter2-hunter2" });

    assert.equal(outcome.kind, "refused");
    assert.doesNotMatch(JSON.stringify(outcome), /hunter2/);
  });

  it("is tried again when the server is busy, and not when it knows no such address", async () => {
    const answering = (responseCode: number) =>
      MailServer.start({
        onRcptTo: (_address, _session, callback) =>
          callback(Object.assign(new Error("no"), { responseCode })),
      });
    await using busy = await answering(450);
    await using strict = await answering(550);

    assert.equal((await send(busy)).kind, "unavailable");
    assert.equal((await send(strict)).kind, "refused");
  });

  it("isn't sent into the console's own network unless that is allowed", async () => {
    await using server = await MailServer.start();

    const outcome = await send(server, { security: "starttls" }, { privateHosts: [] });
    const plain = await send(server, { security: "none" }, { privateHosts: [] });

    assert.match(outcome.kind === "refused" ? outcome.reason : "", /private address 127\.0\.0\.1/);
    assert.match(plain.kind === "refused" ? plain.reason : "", /must be used with STARTTLS or TLS/);
    assert.deepEqual(server.received, []);
  });
});
