/** A file before and after it was decrypted. */
export interface Revealed {
  readonly encrypted: Uint8Array;
  readonly clear: Uint8Array;
}

/** This many consecutive characters reveal a value; a shorter value is hidden where it's in quotes. */
const tellingLength = 6;

const hidden = "<hidden>";

/** Hides what a text quotes from a decrypted file, unless it's also in the encrypted file. */
export function hideDecrypted(text: string, { encrypted, clear }: Revealed): string {
  const [secret, open] = [Buffer.from(clear), Buffer.from(encrypted)];
  const tells = (part: string): boolean => secret.includes(part) && !open.includes(part);
  return hideLong(text, tells).replaceAll(
    /([`"'])([^`"']{1,5})\1/g,
    (quoted, quote: string, value: string) => (tells(value) ? `${quote}${hidden}${quote}` : quoted),
  );
}

function hideLong(text: string, tells: (part: string) => boolean): string {
  let shown = "";
  let end = 0;
  for (let start = 0; start + tellingLength <= text.length; start += 1) {
    if (tells(text.slice(start, start + tellingLength))) {
      shown += start > end || end === 0 ? text.slice(end, start) + hidden : "";
      end = start + tellingLength;
    }
  }
  return shown + text.slice(end);
}
