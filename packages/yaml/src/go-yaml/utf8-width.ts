/** The length of a UTF-8 sequence that starts with this byte; 0 if none can. */
export function widthOf(octet: number): number {
  if (octet < 0x80) {
    return 1;
  }
  if ((octet & 0xe0) === 0xc0) {
    return 2;
  }
  if ((octet & 0xf0) === 0xe0) {
    return 3;
  }
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}
