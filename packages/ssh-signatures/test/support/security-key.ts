import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { wireString, wireUint32 } from "../../src/wire.ts";
import { craft } from "./craft.ts";
import { ecdsaNumber } from "./software-key.ts";

/** What a security key adds to a signature. */
export interface Touch {
  /** 1 if somebody touched it. */
  readonly flags?: number;
  readonly counter?: number;
  /** The counter that the signature names, if it's another than the one that was signed. */
  readonly claimedCounter?: number;
}

/** A security key in software. */
export class SecurityKey {
  readonly #kind: "ed25519" | "ecdsa";
  readonly #application: string;
  readonly #privateKey: KeyObject;
  readonly #point: Buffer;

  constructor(kind: "ed25519" | "ecdsa", application = "ssh:") {
    this.#kind = kind;
    this.#application = application;
    const pair =
      kind === "ed25519"
        ? generateKeyPairSync("ed25519")
        : generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = pair.publicKey.export({ format: "jwk" });
    const coordinates = [x, y].map((text) => Buffer.from(text, "base64url"));
    this.#privateKey = pair.privateKey;
    this.#point = Buffer.concat(kind === "ed25519" ? coordinates : [Buffer.of(4), ...coordinates]);
  }

  get #type(): string {
    return this.#kind === "ed25519" ? "sk-ssh-ed25519@openssh.com" : "sk-ecdsa-sha2-nistp256@openssh.com";
  }

  /** As in a .pub file. */
  publicKey(application: string = this.#application): string {
    const curve = this.#kind === "ed25519" ? [] : ["nistp256"];
    const fields = [this.#type, ...curve, this.#point, application].map((field) => wireString(field));
    return `${this.#type} ${Buffer.concat(fields).toString("base64")}`;
  }

  /** A git signature, as ssh-keygen makes it with a security key. */
  sign(data: string, touch: Touch = {}): string {
    const { flags = 1, counter = 7, claimedCounter = counter } = touch;
    return craft(this.publicKey(), data, (message) => {
      const body = this.#signDigest(flags, counter, sha256(message));
      return Buffer.concat([wireString(this.#type), body, Buffer.of(flags), wireUint32(claimedCounter)]);
    });
  }

  /** A git signature, as a browser makes it with a security key. */
  signInBrowser(data: string, origin = "https://example.com"): string {
    return craft(this.publicKey(), data, (message) => {
      const challenge = message.toString("base64url");
      const text = `{"type":"webauthn.get","challenge":"${challenge}","origin":"${origin}","crossOrigin":false}`;
      const fields = [wireString(origin), wireString(text), wireString("")];
      const body = this.#signDigest(1, 7, sha256(Buffer.from(text)));
      const type = wireString("webauthn-sk-ecdsa-sha2-nistp256@openssh.com");
      return Buffer.concat([type, body, Buffer.of(1), wireUint32(7), ...fields]);
    });
  }

  #signDigest(flags: number, counter: number, digest: Buffer): Buffer {
    const application = sha256(Buffer.from(this.#application));
    const message = Buffer.concat([application, Buffer.of(flags), wireUint32(counter), digest]);
    if (this.#kind === "ed25519") {
      return wireString(sign(null, message, this.#privateKey));
    }
    const raw = sign("sha256", message, { key: this.#privateKey, dsaEncoding: "ieee-p1363" });
    return wireString(Buffer.concat([ecdsaNumber(raw.subarray(0, 32)), ecdsaNumber(raw.subarray(32))]));
  }
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}
