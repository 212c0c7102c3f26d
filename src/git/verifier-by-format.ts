import type { KeyVerdict, KeyVerifier, SignatureVerifier, SignedData, Verdict } from "./signature.ts";

/** What verifies signatures of each kind. */
export interface VerifiersByFormat {
  readonly openpgp: KeyVerifier;
  /** Undefined if no file of allowed signers was given. */
  readonly ssh?: KeyVerifier | undefined;
}

const formats: readonly (readonly [start: string, format: "openpgp" | "ssh" | "x509"])[] = [
  ["-----BEGIN PGP SIGNATURE-----", "openpgp"],
  ["-----BEGIN PGP MESSAGE-----", "openpgp"],
  ["-----BEGIN SSH SIGNATURE-----", "ssh"],
  ["-----BEGIN SIGNED MESSAGE-----", "x509"],
];

/** Verifies a signature with the verifier for its kind, which git tells by the first line. */
export function verifierByFormat({ openpgp, ssh }: VerifiersByFormat): SignatureVerifier {
  return {
    reload: async (signal) => (await ssh?.reload?.(signal)) ?? false,
    async verify(signed) {
      switch (formatOf(signed)) {
        case "openpgp":
          return judged(await openpgp.verify(signed), ["G", "U"]);
        case "ssh":
          return ssh
            ? judged(await ssh.verify(signed), ["G"])
            : refused("it has an SSH signature; set --git-ssh-allowed-signers");
        case "x509":
          return refused("it has an X.509 signature, which isn't supported; sign with OpenPGP or SSH");
        case undefined:
          return refused("it has a signature of an unknown kind; sign with OpenPGP or SSH");
      }
    },
  };
}

function formatOf({ signature }: SignedData): "openpgp" | "ssh" | "x509" | undefined {
  const start = Buffer.from(signature.subarray(0, 40)).toString("latin1");
  return formats.find(([text]) => start.startsWith(text))?.[1];
}

function judged(verdict: KeyVerdict, accepted: readonly KeyVerdict["status"][]): Verdict {
  return { ...verdict, accepted: accepted.includes(verdict.status) };
}

function refused(reason: string): Verdict {
  return { status: "E", key: "", reason, accepted: false };
}
