/**
 * Measures OpenPGP: signatures of different commits, and their verification, with an Ed25519 key and with an RSA key of
 * 2048 bits. `node dev/bench/signatures.ts`, or with another number of commits than 1,000.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Keyring } from "@weir/openpgp";
import { printTable, type Row, row } from "./support/table.ts";

const count = Number(process.argv[2] ?? 1_000);
const keyFile = join(import.meta.dirname, "../../packages/openpgp/test/fixtures/key.asc");

/** The subkeys in that file. */
const keys = [
  ["Ed25519", "61CE310314A9D221CA84565D22DCC499AB88B038!"],
  ["RSA 2048", "5DC1D84F1A6B479AB0B3885C7E2B277AF5D00B86!"],
] as const;

const rows: Row[] = [];
for (const [title, name] of keys) {
  rows.push(...(await measureKey(title, name)));
}
console.log(printTable(`${count} commits`, rows));

async function measureKey(title: string, name: string): Promise<readonly Row[]> {
  const keyring = new Keyring();
  await keyring.import(readFileSync(keyFile), { trusted: true });
  const signer = await keyring.signer(name);
  const commits = Array.from({ length: count }, (_, index) =>
    Buffer.from(`tree\n\ncommit ${index}\n`.repeat(20)),
  );

  const signing = performance.now();
  const signatures: string[] = [];
  for (const commit of commits) {
    signatures.push(await signer.sign(commit));
  }
  const verifying = performance.now();
  for (const [index, data] of commits.entries()) {
    const { status, reason } = await keyring.verify({ data, signature: signatures[index] ?? "" });
    if (status !== "G") {
      throw new Error(reason);
    }
  }
  const end = performance.now();

  return [
    row(`${title}: a signature`, { measured: (verifying - signing) / count, limit: 10, unit: "ms" }),
    row(`${title}: a verification`, { measured: (end - verifying) / count, limit: 1, unit: "ms" }),
  ];
}
