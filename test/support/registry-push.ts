import { createHash } from "node:crypto";

/** An image to be pushed. */
export interface PushedImage {
  readonly repository: string;
  readonly tag: string;
  /** RFC 3339; an image without does not say when it was made. */
  readonly created?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** The form of the manifest. */
  readonly format?: "docker" | "oci";
  readonly architecture?: string;
}

/** Where to push, and as whom. */
export interface PushTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const types = {
  docker: {
    manifest: "application/vnd.docker.distribution.manifest.v2+json",
    index: "application/vnd.docker.distribution.manifest.list.v2+json",
    config: "application/vnd.docker.container.image.v1+json",
    layer: "application/vnd.docker.image.rootfs.diff.tar.gzip",
  },
  oci: {
    manifest: "application/vnd.oci.image.manifest.v1+json",
    index: "application/vnd.oci.image.index.v1+json",
    config: "application/vnd.oci.image.config.v1+json",
    layer: "application/vnd.oci.image.layer.v1.tar+gzip",
  },
} as const;

/** Pushes a tiny image; resolves to the digest of its manifest. */
export async function pushImage(target: PushTarget, image: PushedImage): Promise<string> {
  const { repository, tag, format = "docker" } = image;
  const config = await pushBlob(target, repository, JSON.stringify(configOf(image)));
  const layer = await pushBlob(target, repository, `layer of ${repository}`);
  const manifest = {
    schemaVersion: 2,
    mediaType: types[format].manifest,
    config: { ...config, mediaType: types[format].config },
    layers: [{ ...layer, mediaType: types[format].layer }],
  };
  return pushManifest(target, { repository, tag }, manifest);
}

/** Pushes images by digest and an index of them under the tag; resolves to the digest of the index. */
export async function pushIndex(
  target: PushTarget,
  { repository, tag, format = "docker" }: PushedImage,
  children: readonly PushedImage[],
): Promise<string> {
  const manifests = [];
  for (const child of children) {
    const digest = await pushImage(target, { ...child, format });
    const platform = { os: "linux", architecture: child.architecture ?? "amd64" };
    manifests.push({
      mediaType: types[format].manifest,
      digest,
      size: await sizeOf(target, child),
      platform,
    });
  }
  const index = { schemaVersion: 2, mediaType: types[format].index, manifests };
  return pushManifest(target, { repository, tag }, index);
}

/** Pushes a manifest of any kind. */
export async function pushManifest(
  { url, headers = {} }: PushTarget,
  { repository, tag }: { readonly repository: string; readonly tag: string },
  manifest: { readonly mediaType: string },
): Promise<string> {
  const body = JSON.stringify(manifest);
  await send(`${url}/v2/${repository}/manifests/${tag}`, {
    method: "PUT",
    body,
    headers: { ...headers, "content-type": manifest.mediaType },
  });
  return digest(body);
}

/** Has a registry make schema 1 of the image `from`, and pushes that under the tag `to`. */
export async function convertToSchema1(
  { url, headers = {} }: PushTarget,
  repository: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<{ readonly digest: string; readonly layerId: string }> {
  const type = "application/vnd.docker.distribution.manifest.v1+prettyjws";
  const manifests = `${url}/v2/${repository}/manifests`;
  const converted = await send(`${manifests}/${from}`, { headers: { ...headers, accept: type } });
  const body = await converted.text();
  await send(`${manifests}/${to}`, { method: "PUT", body, headers: { ...headers, "content-type": type } });
  const { history } = JSON.parse(body) as {
    readonly history: readonly { readonly v1Compatibility: string }[];
  };
  const { id } = JSON.parse(history[0]?.v1Compatibility ?? "{}") as { readonly id: string };
  return { digest: converted.headers.get("docker-content-digest") ?? "", layerId: id };
}

function configOf({ created, labels = {}, architecture = "amd64", format, tag }: PushedImage): object {
  const env = { Env: [`TAG=${tag}`] };
  return {
    architecture,
    os: "linux",
    ...(format === "oci"
      ? { config: { ...env, Labels: labels } }
      : { config: env, container_config: { Labels: labels } }),
    rootfs: { type: "layers", diff_ids: [digest("layer")] },
    history: [{ created: created ?? "1970-01-01T00:00:00Z", created_by: "a test" }],
    ...(created === undefined ? {} : { created }),
  };
}

async function pushBlob(
  { url, headers = {} }: PushTarget,
  repository: string,
  body: string,
): Promise<{ readonly digest: string; readonly size: number }> {
  const begun = await send(`${url}/v2/${repository}/blobs/uploads/`, { method: "POST", headers });
  const location = new URL(begun.headers.get("location") ?? "", url);
  location.searchParams.set("digest", digest(body));
  await send(location.href, {
    method: "PUT",
    body,
    headers: { ...headers, "content-type": "application/octet-stream" },
  });
  return { digest: digest(body), size: Buffer.byteLength(body) };
}

async function sizeOf({ url, headers = {} }: PushTarget, { repository, tag }: PushedImage): Promise<number> {
  const accept = `${types.docker.manifest}, ${types.oci.manifest}`;
  const answer = await send(`${url}/v2/${repository}/manifests/${tag}`, { headers: { ...headers, accept } });
  return (await answer.text()).length;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (!answer.ok) {
    throw new Error(`${init.method ?? "GET"} ${url}: ${answer.status} ${await answer.text()}`);
  }
  return answer;
}

function digest(body: string): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}
