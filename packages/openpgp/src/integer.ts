/** A number as OpenPGP writes it: its length in bits, and then its bytes without leading zeros. */
export function integerOf(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start === -1 ? new Uint8Array() : bytes.subarray(start);
  const [first] = digits;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(first === undefined ? 0 : digits.length * 8 - Math.clz32(first) + 24);
  return Buffer.concat([length, digits]);
}
