/**
 * A self-signed certificate for the loopback. kubectl withholds its token from a server that it reaches over plain
 * HTTP, so TLS is needed for more than secrecy; Node can sign but not write certificates, so the few lines of DER
 * that an X.509 certificate takes are written here.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

const hour = 3_600_000;
const tenYears = 10 * 365 * 24 * hour;

/** Makes a new one, good for 127.0.0.1, ::1 and localhost from an hour before `now` for ten years. */
export function selfSigned(now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    ecdsaWithSha256,
    name,
    sequence(time(now - hour), time(now + tenYears)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(basicConstraints, keyUsage, serverAuth, subjectAltName)),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(body, ecdsaWithSha256, bitString(signature));
  return {
    certificate: pem("CERTIFICATE", certificate),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function tlv(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...items: readonly Uint8Array[]): Buffer {
  return tlv(0x30, ...items);
}

function explicit(tag: number, content: Uint8Array): Buffer {
  return tlv(0xa0 + tag, content);
}

function integer(bytes: Uint8Array): Buffer {
  return tlv(0x02, bytes);
}

function bitString(bytes: Uint8Array): Buffer {
  return tlv(0x03, Buffer.from([0]), bytes);
}

/** An object identifier given as its encoded bytes in hex. */
function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, "hex"));
}

/** Sixteen random bytes that read as a positive number. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

/** UTCTime, which has two digits for the year. */
function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return tlv(0x17, Buffer.from(digits.slice(2)));
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  return sequence(oid(id), ...(critical ? [tlv(0x01, Buffer.from([0xff]))] : []), tlv(0x04, value));
}

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
const name = sequence(tlv(0x31, sequence(oid("550403"), tlv(0x0c, Buffer.from("embedded-cluster")))));
const basicConstraints = extension("551d13", true, sequence(tlv(0x01, Buffer.from([0xff]))));
/** digitalSignature and keyCertSign: it signs itself. */
const keyUsage = extension("551d0f", true, tlv(0x03, Buffer.from([0x02, 0x84])));
const serverAuth = extension("551d25", false, sequence(oid("2b06010505070301")));
const subjectAltName = extension(
  "551d11",
  false,
  sequence(
    tlv(0x82, Buffer.from("localhost")),
    tlv(0x87, Buffer.from([127, 0, 0, 1])),
    tlv(0x87, Buffer.from("00000000000000000000000000000001", "hex")),
  ),
);

function pem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .replaceAll(/(.{64})(?=.)/g, "$1\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
