import { Algorithm } from "../algorithms.ts";
import { hex } from "../hex.ts";
import { MalformedError } from "../malformed-error.ts";
import { numberIn, type PublicKey } from "../public-key.ts";
import { atomText, type Expression, listNamed, readExpression } from "./s-expression.ts";

/** A secret key as gpg-agent keeps it, without the public key to which it belongs. */
export interface AgentKey {
  /** What tells which public key it belongs to, in hexadecimal digits. */
  readonly publicValue: string;
  /** The secret numbers, by their names in libgcrypt; undefined if only a passphrase could open them. */
  readonly secrets: ReadonlyMap<string, Uint8Array> | undefined;
}

/** Reads a file of `private-keys-v1.d`; undefined for a key that is on a smart card. */
export function readAgentKey(file: Uint8Array): AgentKey | undefined {
  const expression = readExpression(keyIn(file));
  const kind = expression instanceof Uint8Array ? undefined : atomText(expression[0]);
  if (kind !== "private-key" && kind !== "protected-private-key") {
    return undefined;
  }
  const parameters = expression instanceof Uint8Array ? undefined : expression[1];
  if (parameters === undefined || parameters instanceof Uint8Array) {
    throw new MalformedError("it isn't a secret key");
  }
  const publicValue = valueIn(parameters, "n") ?? valueIn(parameters, "q") ?? new Uint8Array();
  const discrete = valueIn(parameters, "y");
  return {
    publicValue: comparable(discrete ?? publicValue),
    secrets: kind === "private-key" ? secretsIn(parameters) : undefined,
  };
}

/** What an agent's key of this public key has as its public value. */
export function publicValueOf(key: PublicKey): string {
  switch (key.algorithm) {
    case Algorithm.dsa:
    case Algorithm.elgamal:
      return comparable(numberIn(key, "y"));
    case Algorithm.ecdsa:
    case Algorithm.eddsa:
    case Algorithm.ecdh:
      return comparable(numberIn(key, "Q"));
    default:
      return comparable(numberIn(key, "n"));
  }
}

/** Later versions write lines with names, the last of which has the key. */
function keyIn(file: Uint8Array): Uint8Array {
  const text = Buffer.from(file).toString("latin1");
  const found = /^Key:(.*(?:\r?\n[ \t].*)*)/m.exec(text)?.[1];
  return file[0] === 0x28 || found === undefined ? file : Buffer.from(found, "latin1");
}

function secretsIn(parameters: readonly Expression[]): ReadonlyMap<string, Uint8Array> {
  return new Map(
    ["d", "p", "q", "u", "x"].flatMap((name) => {
      const value = valueIn(parameters, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function valueIn(parameters: readonly Expression[], name: string): Uint8Array | undefined {
  const value = listNamed(parameters, name)?.[1];
  return value instanceof Uint8Array ? value : undefined;
}

function comparable(number: Uint8Array): string {
  return hex(number).replace(/^(?:00)+/, "");
}
