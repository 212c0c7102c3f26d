import { createHash } from "node:crypto";

/** What a Mach-O executable for one 64-bit processor says of itself, read without the code that signs it. */
export interface MachO {
  /** As in Apple's machine.h, e.g. 0x100000c. */
  readonly cpu: number;
  /** Whether it's an executable that stands alone, and not a library or an object. */
  readonly isExecutable: boolean;
  readonly segments: readonly Segment[];
  readonly signature: Signature;
}

/** A part of the file that is mapped into memory. */
export interface Segment {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  /** What is in it, by name. */
  readonly sections: ReadonlyMap<string, Buffer>;
}

/** What the code directory of a signature says. */
export interface Signature {
  readonly identity: string;
  /** True if nobody signed: it only says what the bytes are. */
  readonly isAdHoc: boolean;
  /** Where the signed part of the file ends, and the signature begins. */
  readonly limit: number;
  /** What the signature takes. */
  readonly size: number;
  /** Whether each page has the hash that's said of it. */
  readonly isValid: boolean;
}

const commands = { segment64: 0x19, codeSignature: 0x1d };
const executable = 2;

/** Throws if a part points outside of the file. */
export function readMachO(file: Buffer): MachO {
  if (file.readUInt32LE(0) !== 0xfeedfacf) {
    throw new Error("no Mach-O header of 64 bits");
  }
  const segments: Segment[] = [];
  let signature: Signature | undefined;
  let at = 32;
  for (let left = file.readUInt32LE(16); left > 0; left -= 1) {
    const [command, size] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
    if (command === commands.segment64) {
      segments.push(readSegment(file, at));
    }
    if (command === commands.codeSignature) {
      signature = readSignature(file, file.readUInt32LE(at + 8), file.readUInt32LE(at + 12));
    }
    at += size;
  }
  if (signature === undefined || at !== 32 + file.readUInt32LE(20)) {
    throw new Error("no signature, or load commands that don't take what the header says");
  }
  const isExecutable = file.readUInt32LE(12) === executable;
  return { cpu: file.readUInt32LE(4), isExecutable, segments, signature };
}

function readSegment(file: Buffer, at: number): Segment {
  const sections = new Map<string, Buffer>();
  for (let index = 0; index < file.readUInt32LE(at + 64); index += 1) {
    const section = at + 72 + index * 80;
    const [size, offset] = [Number(file.readBigUInt64LE(section + 40)), file.readUInt32LE(section + 48)];
    sections.set(textIn(file, section, 16), file.subarray(offset, offset + size));
  }
  const [offset, size] = [Number(file.readBigUInt64LE(at + 40)), Number(file.readBigUInt64LE(at + 48))];
  if (offset + size > file.length) {
    throw new Error(`the segment ${textIn(file, at + 8, 16)} ends after the file`);
  }
  return { name: textIn(file, at + 8, 16), offset, size, sections };
}

/** Apple's cs_blobs.h: in big-endian order, a super blob with an index of blobs, of which the first is the directory. */
function readSignature(file: Buffer, limit: number, size: number): Signature {
  const blob = file.subarray(limit, limit + size);
  const directory = blob.subarray(blob.readUInt32BE(12 + 4));
  const [hashes, identity] = [directory.readUInt32BE(16), directory.readUInt32BE(20)];
  const pages = directory.readUInt32BE(28);
  const pageSize = 2 ** directory.readUInt8(39);
  const wanted = Array.from({ length: pages }, (_, page) =>
    createHash("sha256")
      .update(file.subarray(page * pageSize, Math.min((page + 1) * pageSize, limit)))
      .digest(),
  );
  return {
    identity: textIn(directory, identity, directory.length - identity),
    isAdHoc: (directory.readUInt32BE(12) & 2) !== 0,
    limit: directory.readUInt32BE(32),
    size,
    isValid: Buffer.concat(wanted).equals(directory.subarray(hashes, hashes + pages * 32)),
  };
}

/** A text that ends with a zero, or fills its field. */
function textIn(buffer: Buffer, at: number, length: number): string {
  const field = buffer.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString("latin1", 0, end === -1 ? length : end);
}
