/** The few forms of ASN.1's DER that keys for `node:crypto` need. */

const Type = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  parameters: 0xa0,
} as const;

/** A list. */
export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return tagged(Type.sequence, Buffer.concat(items));
}

/** A number without a sign, from its bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start === -1 ? Uint8Array.of(0) : bytes.subarray(start);
  return tagged(Type.integer, (digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Uint8Array.of(0), digits]));
}

/** An object identifier, from its encoded form. */
export function oid(bytes: Uint8Array): Uint8Array {
  return tagged(Type.oid, bytes);
}

/** Bytes, as a string of bits. */
export function bitString(bytes: Uint8Array): Uint8Array {
  return tagged(Type.bitString, Buffer.concat([Uint8Array.of(0), bytes]));
}

/** Bytes. */
export function octetString(bytes: Uint8Array): Uint8Array {
  return tagged(Type.octetString, bytes);
}

/** The parameters inside an EC private key. */
export function parameters(content: Uint8Array): Uint8Array {
  return tagged(Type.parameters, content);
}

/** No parameters. */
export const nothing: Uint8Array = Uint8Array.of(Type.null, 0);

function tagged(type: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(type), lengthOf(content.length), content]);
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) {
    return Uint8Array.of(length);
  }
  return length < 0x100 ? Uint8Array.of(0x81, length) : Uint8Array.of(0x82, length >> 8, length & 0xff);
}
