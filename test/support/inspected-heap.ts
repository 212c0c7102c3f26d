import { WebSocket } from "ws";

/** For a program that is to be inspected: as NODE_OPTIONS. */
export const inspectable = "--inspect=127.0.0.1:0";

interface InspectorAnswer {
  readonly id: number;
  readonly result: { readonly usedSize?: number };
}

/**
 * The bytes of all that lives on the heap of a Node program, after its garbage was collected. `log` is what the
 * program said: its inspector tells there where it listens.
 */
export async function liveHeap(log: string): Promise<number> {
  const url = /Debugger listening on (ws:\S+)/.exec(log)?.[1];
  if (url === undefined) {
    throw new Error("the program cannot be inspected");
  }
  const socket = new WebSocket(url);
  try {
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    // The first time leaves what has finalizers, the second does not.
    await ask(socket, 1, "HeapProfiler.collectGarbage");
    await ask(socket, 2, "HeapProfiler.collectGarbage");
    return (await ask(socket, 3, "Runtime.getHeapUsage")).result.usedSize ?? Number.NaN;
  } finally {
    socket.close();
  }
}

function ask(socket: WebSocket, id: number, method: string): Promise<InspectorAnswer> {
  return new Promise((resolve) => {
    const take = (data: Buffer): void => {
      const answer = JSON.parse(data.toString("utf8")) as InspectorAnswer;
      if (answer.id === id) {
        socket.off("message", take);
        resolve(answer);
      }
    };
    socket.on("message", take);
    socket.send(JSON.stringify({ id, method }));
  });
}
