import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { kubernetesLimits } from "@weir/base";
import type { CustomFetch, CustomFetchOptions } from "openid-client";
import { LargeAnswerError, readText } from "../rest/body.ts";

/**
 * A fetch for openid-client that trusts `ca`, or whom the machine trusts where there is none, and reads no more of an
 * answer than an issuer has to say. Node's own takes no certificate.
 */
export function issuerFetch(ca: Buffer | undefined): CustomFetch {
  return async (url, options) => {
    const answer = await send(url, options, ca);
    const most = kubernetesLimits.issuerAnswer;
    const { text, isWhole } = await readText({ body: answer, discard: () => answer.destroy() }, most);
    if (!isWhole) {
      const { origin, pathname } = new URL(url);
      throw new LargeAnswerError({
        server: origin,
        request: `${options.method} ${pathname}`,
        what: "a body",
        most,
      });
    }
    return toResponse(answer, text());
  };
}

function send(
  url: string,
  { method, headers, body, signal }: CustomFetchOptions,
  ca: Buffer | undefined,
): Promise<IncomingMessage> {
  const trust = ca === undefined ? {} : { ca };
  const end = signal === undefined ? {} : { signal };
  return new Promise((resolve, reject) => {
    request(url, { method, headers, ...trust, ...end }, resolve)
      .on("error", reject)
      .end(body instanceof URLSearchParams ? body.toString() : undefined);
  });
}

function toResponse({ statusCode = 0, headers }: IncomingMessage, text: string): Response {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(text === "" ? null : text, { status: statusCode, headers: pairs });
}
