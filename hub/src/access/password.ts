import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { Mutex } from "@weir/base";

/** The cost of a hash, as scrypt's parameters. */
interface Cost {
  /** The logarithm of N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** The first choice of OWASP's cheat sheet for scrypt: 128 MiB and a few tenths of a second. */
const usualCost: Cost = { ln: 17, r: 8, p: 1 };

/** Of stored hashes, what's accepted; others weren't made here, and might take all memory. */
const mostLn = 20;

const saltBytes = 16;
const hashBytes = 32;

/** One hash at a time: each takes 128 MiB, and whoever guesses passwords shall not take more. */
const oneAtATime = new Mutex();

/**
 * Hashes a password for storage, in the PHC format with its parameters and salt: `$scrypt$ln=17,r=8,p=1$salt$hash`.
 * Rejects with the signal's reason if it's aborted before the turn of this password.
 */
export async function hashPassword(password: string, signal: AbortSignal): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive({ password, salt, cost: usualCost }, signal);
  const { ln, r, p } = usualCost;
  return ["", "scrypt", `ln=${ln},r=${r},p=${p}`, base64(salt), base64(hash)].join("$");
}

/**
 * True if a password is the one that was hashed. Takes as long if `stored` is undefined, because there's no such user:
 * the time doesn't tell which users exist.
 */
export async function isPassword(
  password: string,
  stored: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const read = stored === undefined ? undefined : readStored(stored);
  if (read === undefined) {
    await derive({ password, salt: Buffer.alloc(saltBytes), cost: usualCost }, signal);
    return false;
  }
  const hash = await derive({ password, ...read }, signal);
  return timingSafeEqual(hash, read.hash);
}

interface Stored {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

function readStored(stored: string): Stored | undefined {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (match === null) {
    return undefined;
  }
  const [ln = 0, r = 0, p = 0] = match.slice(1, 4).map(Number);
  const [salt, hash] = [Buffer.from(match[4] ?? "", "base64"), Buffer.from(match[5] ?? "", "base64")];
  const isOurs = ln <= mostLn && r <= 32 && p <= 16 && hash.length === hashBytes;
  return isOurs ? { cost: { ln, r, p }, salt, hash } : undefined;
}

interface Input {
  readonly password: string;
  readonly salt: Buffer;
  readonly cost: Cost;
}

/** The same password may be typed as different code points on different keyboards; NFKC makes them one. */
async function derive({ password, salt, cost: { ln, r, p } }: Input, signal: AbortSignal): Promise<Buffer> {
  const N = 2 ** ln;
  const options = { N, r, p, maxmem: 128 * N * r * p + 1024 * 1024 };
  return await oneAtATime.run(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize("NFKC"), salt, hashBytes, options, (error, key) => {
          if (error === null) {
            resolve(key);
          } else {
            reject(error);
          }
        });
      }),
    signal,
  );
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
