import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { answer, type HttpServer, serve } from "@weir/testing";

const manifestType = "application/vnd.docker.distribution.manifest.v2+json";

/** Answers one request; true where it did. */
export type Misbehave = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A tiny image as a registry serves it. */
export const standInImage = makeImage();

/**
 * A registry with one image, "app:1", that answers as `misbehave` tells, and well where that does nothing. "host"
 * is how images name it.
 */
export async function serveRegistry(
  misbehave: Misbehave,
  tls?: { readonly key: string; readonly cert: string },
): Promise<HttpServer & { readonly host: string }> {
  const server = await serve((request, response) => {
    if (!misbehave(request, response)) {
      behave(request, response);
    }
  }, tls);
  return {
    ...server,
    host: new URL(server.url).host,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function behave({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const { manifest, manifestDigest, config, configDigest } = standInImage;
  if (url === "/v2/") {
    answer(response, { status: 200, body: {} });
  } else if (url.startsWith("/v2/app/tags/list")) {
    answer(response, { status: 200, body: { name: "app", tags: ["1"] } });
  } else if (url === "/v2/app/manifests/1") {
    response
      .writeHead(200, { "content-type": manifestType, "docker-content-digest": manifestDigest })
      .end(manifest);
  } else if (url === `/v2/app/blobs/${configDigest}`) {
    response.writeHead(200).end(config);
  } else {
    answer(response, {
      status: 404,
      body: { errors: [{ code: "NAME_UNKNOWN", message: "repository name not known" }] },
    });
  }
}

function makeImage(): Readonly<Record<"manifest" | "manifestDigest" | "config" | "configDigest", string>> {
  const config = JSON.stringify({ architecture: "amd64", os: "linux", created: "2020-01-01T00:00:00Z" });
  const configDigest = digest(config);
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: { digest: configDigest },
    layers: [{ digest: digest("a layer"), size: 7 }],
  });
  return { manifest, manifestDigest: digest(manifest), config, configDigest };
}

function digest(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
