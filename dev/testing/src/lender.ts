import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { TempFolder } from "./temp-folder.ts";

/** What test files use one after the other. */
export interface Lendable {
  /** What a borrower is told, as JSON. */
  readonly lent: object;
  /** Makes it as new. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** Borrows from the lender that listens at a path; `giveBack` ends that. */
export async function borrow(
  path: string,
): Promise<{ readonly lent: object; readonly giveBack: () => Promise<void> }> {
  const socket = connect(path);
  const [line] = (await once(createInterface(socket), "line")) as [string];
  const lent = JSON.parse(line) as object;
  if ("error" in lent) {
    throw new Error(String(lent.error));
  }
  const giveBack = async (): Promise<void> => {
    socket.end();
    await once(socket, "close");
  };
  return { lent, giveBack };
}

/** Lends one thing to each connection until that ends. */
export class Lender {
  readonly #make: () => Promise<Lendable>;
  readonly #folder = new TempFolder();
  readonly #server: Server = createServer((socket) => this.#keep(this.#lend(socket)));
  readonly #free: Lendable[] = [];
  readonly #all = new Set<Lendable>();
  readonly #lending = new Set<Promise<void>>();

  /** Makes another one where none is free. */
  constructor(make: () => Promise<Lendable>) {
    this.#make = make;
  }

  async listen(): Promise<string> {
    const path = join(this.#folder.path, "lender");
    this.#server.listen(path);
    await once(this.#server, "listening");
    return path;
  }

  /** For when all files have ended. */
  async close(): Promise<void> {
    this.#server.close();
    await Promise.all(this.#lending);
    await Promise.all([...this.#all].map((each) => each.stop()));
    this.#folder[Symbol.dispose]();
  }

  #keep(lending: Promise<void>): void {
    this.#lending.add(lending);
    void lending.finally(() => this.#lending.delete(lending));
  }

  async #lend(socket: Socket): Promise<void> {
    socket.on("error", () => undefined);
    socket.resume();
    const over = new Promise((resolve) => socket.once("close", resolve));
    try {
      const item = this.#free.pop() ?? (await this.#another());
      socket.write(`${JSON.stringify(item.lent)}\n`);
      await over;
      await this.#takeBack(item);
    } catch (error) {
      socket.end(`${JSON.stringify({ error: String(error) })}\n`);
    }
  }

  async #another(): Promise<Lendable> {
    const item = await this.#make();
    this.#all.add(item);
    return item;
  }

  /** One that cannot be made as new is given to nobody any more. */
  async #takeBack(item: Lendable): Promise<void> {
    try {
      await item.reset();
      this.#free.push(item);
    } catch {
      this.#all.delete(item);
      await item.stop();
    }
  }
}
