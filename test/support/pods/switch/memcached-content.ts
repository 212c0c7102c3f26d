import type { PodsKubectl } from "@weir/testing";
import { weirImageName } from "./images.ts";

const [weirRepository = ""] = weirImageName.split(":");

/** Which memcached is meant. */
export interface MemcachedPod {
  readonly namespace: string;
  readonly deployment: string;
}

/** The records in a memcached by key, each with the number that any write changes. */
export type MemcachedContent = ReadonlyMap<string, { readonly cas: string; readonly text: string }>;

/** Reads all that a memcached holds. */
export async function memcachedContent(kubectl: PodsKubectl, pod: MemcachedPod): Promise<MemcachedContent> {
  const dump = (await ask(kubectl, pod, "lru_crawler metadump hash")).toString("latin1");
  const keys = [...dump.matchAll(/^key=(\S+)/gm)].map(([, key = ""]) => decodeURIComponent(key)).sort();
  return keys.length === 0 ? new Map() : parseValues(await ask(kubectl, pod, `gets ${keys.join(" ")}`));
}

/**
 * What the records tell of images, but for Weir's own. Of a repository that's its tags and images: both Flux v1 and Weir
 * look at each every minute, and record what went wrong then. The records of images must not be written at all.
 */
export function knownImages(content: MemcachedContent): Readonly<Record<string, object>> {
  const entries = [...content].filter(([key]) => !key.endsWith(`/${weirRepository}`));
  return Object.fromEntries(
    entries.map(([key, record]) => [
      key,
      key.startsWith("registryrepo") ? tagsAndImages(record.text) : record,
    ]),
  );
}

/** Behind the four bytes of the time when it is to be refreshed, a record is JSON. */
function tagsAndImages(text: string): object {
  const { Tags, Images } = JSON.parse(text.slice(4)) as { readonly Tags: unknown; readonly Images: unknown };
  return { Tags, Images };
}

/** Sends a command from inside the pod; resolves to the answer up to END. */
async function ask(
  kubectl: PodsKubectl,
  { namespace, deployment }: MemcachedPod,
  command: string,
): Promise<Buffer> {
  const script = `exec 3<>/dev/tcp/127.0.0.1/11211; printf '%s\\r\\n' "$1" >&3; sed '/^END/q' <&3 | base64 -w0`;
  const exec = [
    "exec",
    "-n",
    namespace,
    `deployment/${deployment}`,
    "--",
    "bash",
    "-c",
    script,
    "bash",
    command,
  ];
  return Buffer.from(await kubectl.must(exec), "base64");
}

/** Reads `VALUE key flags bytes cas`, then the bytes, and so on. */
function parseValues(answer: Buffer): MemcachedContent {
  const values: [string, { readonly cas: string; readonly text: string }][] = [];
  let at = 0;
  for (;;) {
    const end = answer.indexOf("\r\n", at);
    const [word, key = "", , bytes = "0", cas = ""] = answer.subarray(at, end).toString().split(" ");
    if (end < 0 || word !== "VALUE") {
      return new Map(values);
    }
    const data = answer.subarray(end + 2, end + 2 + Number(bytes));
    values.push([key, { cas, text: data.toString("latin1") }]);
    at = end + 2 + Number(bytes) + 2;
  }
}
