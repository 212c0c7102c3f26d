import { readSignature, type Signature, SignatureType } from "./signature.ts";
import { Subpacket } from "./subpackets.ts";

const backSignatures = new WeakMap<Signature, Signature | null>();

/** The signature by a subkey that it belongs to its key, which is inside the one by the primary key. */
export function backSignatureIn(binding: Signature): Signature | undefined {
  let found = backSignatures.get(binding);
  if (found === undefined) {
    found = readBackSignature(binding) ?? null;
    backSignatures.set(binding, found);
  }
  return found ?? undefined;
}

function readBackSignature({ hashed, unhashed }: Signature): Signature | undefined {
  return [hashed, unhashed]
    .flatMap((area) => area.all(Subpacket.embeddedSignature))
    .flatMap(readEmbedded)
    .filter(({ type }) => type === SignatureType.primaryKeyBinding)
    .reduce<Signature | undefined>(
      (newestYet, each) => (each.created > (newestYet?.created ?? 0) ? each : newestYet),
      undefined,
    );
}

function readEmbedded(body: Uint8Array): readonly Signature[] {
  try {
    return [readSignature(body)];
  } catch {
    return [];
  }
}
