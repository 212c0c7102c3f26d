import { once } from "node:events";
import { connect } from "node:net";
import type { MarkedObject } from "./marked-objects.ts";

const memcachedPort = 11_211;
const hour = 3_600;
/** When all images were made and last read, so that two runs write the same. */
const created = "2020-06-01T08:00:00Z";

/** Stores what Flux v1 knows of images after it scanned their registries, with the tag of each as the only one. */
export async function storeImageRecords(host: string, images: readonly string[]): Promise<void> {
  const commands = [...new Set(images)].flatMap((image) => {
    const { name, tag } = split(image);
    const info = { ID: image, Digest: `sha256:${"a".repeat(64)}`, Labels: {}, CreatedAt: created };
    const record = { Tags: [tag], Images: { [tag]: info }, LastError: "", LastUpdate: created };
    return [
      add(`registryhistoryv3|${name}|${tag}`, { ...info, LastFetched: created }),
      add(`registryrepov4|${name}`, record),
    ];
  });
  const socket = connect(memcachedPort, host);
  socket.setEncoding("latin1");
  socket.end(Buffer.concat([...commands, Buffer.from("quit\r\n")]));
  let answers = "";
  socket.on("data", (data: string) => {
    answers += data;
  });
  await once(socket, "close");
  if (!/^((NOT_)?STORED\r\n)+$/.test(answers)) {
    throw new Error(`memcached doesn't store image records: ${answers}`);
  }
}

/** The images of containers. */
export function imagesOf(objects: readonly MarkedObject[]): readonly string[] {
  return [...JSON.stringify(objects).matchAll(/"image":"([^"]+)"/g)].map(([, image = ""]) => image);
}

/** Leaves what is there, which isn't due for a refresh before that hour has passed. */
function add(key: string, value: object): Buffer {
  const deadline = Buffer.alloc(4);
  deadline.writeUInt32BE(Math.floor(Date.now() / 1000) + hour);
  const data = Buffer.concat([deadline, Buffer.from(JSON.stringify(value))]);
  return Buffer.concat([
    Buffer.from(`add ${key} 0 ${2 * hour} ${data.length}\r\n`),
    data,
    Buffer.from("\r\n"),
  ]);
}

/** The canonical name of an image, and its tag. */
function split(image: string): { readonly name: string; readonly tag: string } {
  const [, path = "", tag = "latest"] = /^(.*?)(?::([^:/]+))?$/.exec(image) ?? [];
  const [host = "", ...rest] = path.split("/");
  if (rest.length === 0) {
    return { name: `index.docker.io/library/${path}`, tag };
  }
  const isHost = host.includes(".") || host.includes(":");
  const name =
    host === "docker.io" ? `index.docker.io/${rest.join("/")}` : isHost ? path : `index.docker.io/${path}`;
  return { name, tag };
}
