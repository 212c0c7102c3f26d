import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { freePort } from "@weir/testing";

const run = promisify(execFile);

/** As many ports as another process gets that ends at once. */
async function portsOfAnother(count: number): Promise<readonly number[]> {
  const script = `
    const { freePort } = await import("@weir/testing");
    console.log(JSON.stringify(await Promise.all(Array.from({ length: ${count} }, freePort))));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script]);
  return JSON.parse(stdout) as readonly number[];
}

describe("freePort", () => {
  it("gives each port once, though nobody listens yet", async () => {
    const ports = await Promise.all(Array.from({ length: 500 }, freePort));

    assert.equal(new Set(ports).size, 500);
  });

  it("gives no process the ports of another", async () => {
    // So many that two processes that knew nothing of each other would share some.
    const mine = await Promise.all(Array.from({ length: 500 }, freePort));

    const theirs = await portsOfAnother(500);

    assert.deepEqual(
      theirs.filter((port) => mine.includes(port)),
      [],
    );
  });

  it("gives no port that the system gives to outgoing connections", async () => {
    const text = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
    const [lowest = 0] = text.split(/\s+/).map(Number);

    const port = await freePort();

    assert.ok(port < lowest, `${port} is not below ${lowest}`);
  });

  it("gives a port on which one can listen", async () => {
    await using server = createServer();
    const port = await freePort();

    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
  });
});
