/**
 * Compares strings in Go's order: by their UTF-8 bytes, which means by code points. JavaScript's own order differs if a
 * character beyond U+FFFF is compared with one from U+E000 on.
 */
export function compareGoStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) {
      return isSurrogate(a, i) === isSurrogate(b, i) ? difference : isSurrogate(a, i) ? 1 : -1;
    }
  }
  return a.length - b.length;
}

function isSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdfff;
}
