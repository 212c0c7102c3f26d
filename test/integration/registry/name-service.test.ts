import assert from "node:assert/strict";
import { createSocket, type Socket } from "node:dgram";
import { describe, it } from "node:test";
import { createServiceResolver } from "../../../src/registry/memcached/srv.ts";

/** A name server on the loopback that knows SRV records, by the name asked for. */
class NameServer implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly #socket: Socket = createSocket("udp4");
  readonly #records: Readonly<Record<string, readonly (readonly [host: string, port: number])[]>>;

  constructor(records: Readonly<Record<string, readonly (readonly [host: string, port: number])[]>>) {
    this.#records = records;
    this.#socket.on("message", (query, from) =>
      this.#socket.send(this.#answer(query), from.port, from.address),
    );
  }

  /** Starts to listen; resolves to "address:port". */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#socket.bind(0, "127.0.0.1", resolve));
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(resolve));
  }

  #answer(query: Buffer): Buffer {
    const end = query.indexOf(0, 12) + 5;
    const name = readName(query.subarray(12));
    this.asked.push(name);
    const records = this.#records[name] ?? [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(records.length === 0 ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8);
    return Buffer.concat([header, query.subarray(12, end), ...records.map(srvRecord)]);
  }
}

function srvRecord([host, port]: readonly [string, number]): Buffer {
  const target = writeName(host);
  const head = Buffer.alloc(18);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(33, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(5, 6);
  head.writeUInt16BE(6 + target.length, 10);
  head.writeUInt16BE(port, 16);
  return Buffer.concat([head, target]);
}

function readName(bytes: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; bytes[at] !== 0; at += 1 + (bytes[at] ?? 0)) {
    labels.push(bytes.toString("latin1", at + 1, at + 1 + (bytes[at] ?? 0)));
  }
  return labels.join(".");
}

function writeName(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

describe("the servers of a service", () => {
  it("are found in DNS, in the order that Flux has them in", async () => {
    await using names = new NameServer({
      "_memcached._tcp.cache.example.com": [
        ["b.example.com", 11211],
        ["a.example.com", 11212],
      ],
    });
    const resolve = createServiceResolver([await names.listen()]);

    assert.deepEqual(await resolve("memcached", "cache.example.com."), [
      { host: "a.example.com", port: 11212 },
      { host: "b.example.com", port: 11211 },
    ]);
  });

  it("are an error that names the service where there are none", async () => {
    await using names = new NameServer({});
    const resolve = createServiceResolver([await names.listen()]);

    await assert.rejects(
      resolve("memcached", "cache.example.com."),
      /no SRV records of _memcached\._tcp\.cache/,
    );
    assert.deepEqual(names.asked, ["_memcached._tcp.cache.example.com"]);
  });
});
