/**
 * `node dev/release/supply/sign-images.ts --key KEY IMAGE@sha256:…`: signs images that were pushed to a registry,
 * with cosign. The password of the key is in COSIGN_PASSWORD. What follows `--` are options of `cosign sign`.
 */
import { parseArgs } from "node:util";
import { messageOf } from "@weir/base";
import { signImages } from "./cosign.ts";

async function main(args: readonly string[]): Promise<number> {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const { values, positionals } = parseArgs({
    args: args.slice(0, end),
    options: { key: { type: "string" } },
    allowPositionals: true,
  });
  const key = values.key ?? process.env["COSIGN_KEY"] ?? "";
  if (key === "" || positionals.length === 0) {
    console.error("Usage: sign-images.ts --key KEY IMAGE@sha256:... [-- OPTIONS OF COSIGN SIGN]");
    return 2;
  }
  const stopped = new AbortController();
  process.once("SIGINT", () => stopped.abort()).once("SIGTERM", () => stopped.abort());
  await signImages(positionals, { key, signal: stopped.signal }, args.slice(end + 1));
  positionals.forEach((image) => console.log(`signed ${image}`));
  return 0;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`Error: ${messageOf(error)}`);
  return 1;
});
