import { connect, type Socket } from "node:net";
import { ask } from "../../../test/support/raw-http.ts";
import { type Attack, refuse } from "./attack.ts";

export const webhookAttacks: readonly Attack[] = [
  {
    name: "webhooks: 64 callers who never finish",
    async run({ around: { webhooks } }) {
      const callers = await Promise.all(Array.from({ length: 64 }, () => halfAsk(webhooks)));
      const started = performance.now();
      const { status } = await ask(webhooks, { path: "/health" });
      const seconds = (performance.now() - started) / 1000;
      callers.forEach((socket) => socket.destroy());
      refuse(status !== 200, `/health answers ${status}`);
      return `/health answers after ${seconds.toFixed(2)} s`;
    },
  },
  {
    name: "webhooks: a thousand refusals of different kinds",
    async run({ around: { webhooks, fluxd } }) {
      const before = fluxd.log.split("\n").length;
      for (let count = 0; count < 1_000; count += 1) {
        const body = count % 2 === 0 ? "{}" : "none";
        await ask(webhooks, { method: "POST", path: `/hook/${count % 3 === 0 ? "a" : count}`, body });
      }
      const lines = fluxd.log.split("\n").length - before;
      refuse(lines > 100, `${lines} lines in the log`);
      return `${lines} lines in the log`;
    },
  },
];

/** Sends the beginning of a request. */
function halfAsk(address: string): Promise<Socket> {
  const [host = "", port = ""] = address.split(":");
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host, () => {
      socket.write("POST /hook/0 HTTP/1.1\r\nHost: flux\r\n");
      resolve(socket);
    });
    socket.on("error", reject);
  });
}
