const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const lineLength = 76;

/**
 * Normalizes Base64 text: lines of 76 characters, each with a line break. Invalid characters are skipped, as in
 * Python's decoder. Undefined if the rest isn't a whole number of bytes, or isn't ASCII.
 */
export function normalizeBase64(source: string): string | undefined {
  const digits = /[^\0-\x7f]/.test(source) ? undefined : significantDigits(source);
  if (digits === undefined) {
    return undefined;
  }
  const whole = digits.slice(0, digits.length - (digits.length % 4));
  const rest = lastQuantum(digits.slice(whole.length));
  return `${whole}${rest}`.replaceAll(new RegExp(`.{1,${lineLength}}`, "g"), "$&\n");
}

/** The digits before the padding; undefined if required padding is missing. */
function significantDigits(source: string): string | undefined {
  let digits = "";
  for (let index = 0; index < source.length; index += 1) {
    const char = source.charAt(index);
    if (char === "=") {
      if (endsHere(digits.length % 4, source, index)) {
        return digits;
      }
    } else if (alphabet.includes(char)) {
      digits += char;
    }
  }
  return digits.length % 4 === 0 ? digits : undefined;
}

function endsHere(position: number, source: string, index: number): boolean {
  if (position === 2) {
    return /^=[^A-Za-z0-9+/=]*=/.test(source.slice(index));
  }
  return position === 3;
}

/** Two or three digits, with the bits that belong to no byte cleared, and their padding. */
function lastQuantum(digits: string): string {
  if (digits === "") {
    return "";
  }
  const spare = digits.length === 2 ? 16 : 4;
  const last = alphabet.indexOf(digits.slice(-1));
  const cleared = alphabet.charAt(last - (last % spare));
  return (digits.slice(0, -1) + cleared).padEnd(4, "=");
}
