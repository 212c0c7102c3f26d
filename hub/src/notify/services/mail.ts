/** Mail: over SMTP, as text and as simple HTML. */
import { isIP } from "node:net";
import { abortReason, Deadline, TimeoutError, toError } from "@weir/base";
import { createTransport } from "nodemailer";
import type { SMTPTransportOptions } from "nodemailer/lib/smtp-transport";
import type { SettingsOf } from "../channel.ts";
import { type Content, contentOf, type Notification } from "../content.ts";
import { htmlFormat } from "../formats/html.ts";
import { plainFormat } from "../formats/plain.ts";
import { judgeError } from "../judge.ts";
import { ForbiddenServiceError, type Network } from "../network.ts";
import type { Outcome } from "../retry.ts";
import type { Services } from "./services.ts";

const maxText = 20_000;

/** How long sending can take, in milliseconds: in all, and while the server says nothing. */
const sendMs = 45_000;
const silenceMs = 15_000;

/** Sends one mail to all addresses. */
export async function sendMail(
  notification: Notification,
  settings: SettingsOf<"mail">,
  { network, clock }: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  if (settings.security === "none" && !network.mayBePrivate(settings.host)) {
    throw new ForbiddenServiceError(
      `${settings.host} must be used with STARTTLS or TLS, since it isn't allowed with --notify-private-hosts`,
    );
  }
  using limit = new Deadline(
    clock,
    sendMs,
    signal,
    () => new TimeoutError(`not sent within ${sendMs / 1000} s`),
  );
  const transport = createTransport(connectionOptions(settings, network, limit.signal));
  try {
    const { response, rejected } = await transport.sendMail({
      ...mailOf(notification, settings),
      signal: limit.signal,
    });
    const refused = rejected.length === 0 ? "" : ` (but refused ${rejected.length} of the recipients)`;
    return { kind: "delivered", answer: `${response}${refused}` };
  } catch (error) {
    return limit.signal.aborted ? judgeError(abortReason(limit.signal)) : judgeMailError(error);
  } finally {
    transport.close();
  }
}

function connectionOptions(
  { host, port, security, user, password }: SettingsOf<"mail">,
  network: Network,
  signal: AbortSignal,
): SMTPTransportOptions {
  return {
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    // Certificates name hosts; one with an address is compared with that.
    tls: isIP(host) === 0 ? { servername: host } : { host },
    ...(user === "" ? {} : { auth: { user, pass: password } }),
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options, callback) => {
      network.connect(host, port, signal).then(
        (connection) => callback(null, { connection }),
        (error: unknown) => callback(toError(error)),
      );
    },
  };
}

/** Permanent errors of SMTP are from 500 on. Without a code, the server wasn't reached, or didn't say a word. */
function judgeMailError(error: unknown): Outcome {
  const outcome = judgeError(error);
  const code = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
  return code >= 500 && outcome.kind === "unavailable"
    ? { kind: "refused", reason: outcome.reason }
    : outcome;
}

function mailOf(notification: Notification, { from, to }: SettingsOf<"mail">): Parameters<Sender>[0] {
  const content = contentOf(notification, { format: plainFormat, maxText });
  return {
    from: { name: "Weir", address: from },
    to: to.map((address) => ({ name: "", address })),
    subject: `[${content.severity}] ${content.title}`,
    messageId: `<${notification.id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    // So that nobody's absence is reported to the console's address.
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    text: textOf(content),
    html: htmlOf(content),
  };
}

type Sender = ReturnType<typeof createTransport>["sendMail"];

function textOf({ text, facts, link }: Content): string {
  const lines = facts.map(({ name, value }) => `${name}: ${value}`);
  return [text, lines.join("\n"), link].filter((part) => part !== "").join("\n\n");
}

function htmlOf({ title, text, facts, link }: Content): string {
  const { escape } = htmlFormat;
  const rows = facts.map(
    ({ name, value }) => `<tr><th align="left">${escape(name)}</th><td>${escape(value)}</td></tr>`,
  );
  return [
    `<!doctype html><html><body style="font-family: sans-serif">`,
    `<h2>${escape(title)}</h2>`,
    text === "" ? "" : `<p style="white-space: pre-wrap">${escape(text)}</p>`,
    `<table cellpadding="4">${rows.join("")}</table>`,
    link === "" ? "" : `<p><a href="${htmlFormat.link(link)}">Open in the console</a></p>`,
    "</body></html>",
  ].join("\n");
}
