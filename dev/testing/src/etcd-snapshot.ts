/** A snapshot of an etcd that can be restored, over etcd's JSON gateway. */
export class EtcdSnapshot {
  readonly #url: string;
  readonly #entries: ReadonlyMap<string, string>;

  private constructor(url: string, entries: ReadonlyMap<string, string>) {
    this.#url = url;
    this.#entries = entries;
  }

  static async take(url: string): Promise<EtcdSnapshot> {
    return new EtcdSnapshot(url, await readAll(url));
  }

  /** Removes keys that were added since, and restores those that were changed or removed. */
  async restore(): Promise<void> {
    const now = await readAll(this.#url);
    const added = [...now.keys()].filter((key) => !this.#entries.has(key) && !isOfTheServer(key));
    const changed = [...this.#entries].filter(
      ([key, value]) => now.get(key) !== value && !isOfTheServer(key),
    );
    for (const key of added) {
      await call(this.#url, "deleterange", { key });
    }
    for (const [key, value] of changed) {
      await call(this.#url, "put", { key, value });
    }
  }
}

/** Keys that the API server maintains for itself: its own lease, and which addresses are in use. */
const ofTheServer = ["/registry/masterleases/", "/registry/leases/", "/registry/ranges/"];

function isOfTheServer(key: string): boolean {
  const name = Buffer.from(key, "base64").toString();
  return ofTheServer.some((prefix) => name.startsWith(prefix));
}

interface Range {
  readonly kvs?: readonly { readonly key: string; readonly value: string }[];
}

/** Keys and values in base64, as etcd returns them. */
async function readAll(url: string): Promise<ReadonlyMap<string, string>> {
  const first = Buffer.from("/registry/").toString("base64");
  const end = Buffer.from("/registry0").toString("base64");
  const { kvs = [] } = (await call(url, "range", { key: first, range_end: end })) as Range;
  return new Map(kvs.map(({ key, value }) => [key, value]));
}

async function call(url: string, method: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}/v3/kv/${method}`, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) {
    throw new Error(`etcd: ${method}: ${response.status} ${await response.text()}`);
  }
  return response.json();
}
