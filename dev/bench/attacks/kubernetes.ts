import { type Attack, refuse } from "./attack.ts";
import { type StreamEnd, writeEndlessly } from "./endless.ts";

export const kubernetesAttacks: readonly Attack[] = [
  {
    name: "kubernetes: connections that are reset for five seconds",
    async run({ around: { kubernetes } }) {
      kubernetes.reset();
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      const connections = kubernetes.behave();
      refuse(connections > 150, `${connections} connections in five seconds`);
      return `${connections} connections`;
    },
  },
  {
    name: "kubernetes: endless responses",
    async run({ around: { kubernetes } }) {
      const ends: Promise<StreamEnd>[] = [];
      const bytes = Buffer.alloc(65_536, "x");
      kubernetes.misbehave((_incoming, outgoing) => {
        outgoing.writeHead(200, { "Content-Type": "application/json" });
        outgoing.write('{"kind":"');
        ends.push(writeEndlessly(outgoing, bytes, 10));
      });
      await new Promise((resolve) => setTimeout(resolve, 15_000));
      kubernetes.behave();
      const most = Math.max(...(await Promise.all(ends)).map(({ mebibytes }) => mebibytes));
      return `${ends.length} responses, the longest closed after ${most.toFixed(0)} MiB`;
    },
  },
];
