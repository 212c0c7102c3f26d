/** What an executable for 64-bit Windows says of itself; see Microsoft's "PE Format". */
export interface PortableExecutable {
  /** The processor: 0x8664 for x64. */
  readonly machine: number;
  readonly isExecutable: boolean;
  /** Where the file says that its signature is; zeros if it has none. */
  readonly signature: readonly [offset: number, size: number];
  /** What is in the resources of a type, by name. */
  readonly resources: (type: number) => ReadonlyMap<string, Buffer>;
}

/** The type of resources that are only data. */
export const rawData = 10;

const directories = { resources: 2, signature: 4 };

/** Throws if it isn't such a file, or a section of it ends after the file. */
export function readPortableExecutable(file: Buffer): PortableExecutable {
  const header = file.readUInt32LE(0x3c);
  const optional = header + 24;
  if (file.toString("latin1", header, header + 4) !== "PE\0\0" || file.readUInt16LE(optional) !== 0x20b) {
    throw new Error("not an executable for 64-bit Windows");
  }
  const sections = readSections(file, header);
  const directory = (index: number): readonly [number, number] => {
    const at = optional + 112 + index * 8;
    return [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
  };
  /** Of an address in memory. */
  const offsetOf = (address: number): number => {
    const section = sections.find(({ start, size }) => address >= start && address < start + size);
    if (section === undefined) {
      throw new Error(`no section has the address ${address}`);
    }
    return address - section.start + section.offset;
  };
  return {
    machine: file.readUInt16LE(header + 4),
    isExecutable: (file.readUInt16LE(header + 22) & 2) !== 0,
    signature: directory(directories.signature),
    resources: (type) => {
      const root = offsetOf(directory(directories.resources)[0]);
      const named = entriesOf(file, root, root).find(({ name }) => name === String(type));
      return new Map(
        (named === undefined ? [] : entriesOf(file, root, named.at)).map(({ name, at }) => {
          // Below the name, there's one for each language.
          const leaf = entriesOf(file, root, at)[0]?.at ?? 0;
          const offset = offsetOf(file.readUInt32LE(leaf));
          return [name, file.subarray(offset, offset + file.readUInt32LE(leaf + 4))];
        }),
      );
    },
  };
}

interface Section {
  readonly start: number;
  readonly offset: number;
  readonly size: number;
}

function readSections(file: Buffer, header: number): readonly Section[] {
  const first = header + 24 + file.readUInt16LE(header + 20);
  return Array.from({ length: file.readUInt16LE(header + 6) }, (_, index) => {
    const at = first + index * 40;
    const section = {
      start: file.readUInt32LE(at + 12),
      size: file.readUInt32LE(at + 16),
      offset: file.readUInt32LE(at + 20),
    };
    if (section.offset + section.size > file.length) {
      throw new Error(`the section ${index} ends after the file`);
    }
    return section;
  });
}

/** The entries of a directory of resources: names or numbers, and where what they name is in the file. */
function entriesOf(
  file: Buffer,
  root: number,
  directory: number,
): readonly { readonly name: string; readonly at: number }[] {
  const count = file.readUInt16LE(directory + 12) + file.readUInt16LE(directory + 14);
  return Array.from({ length: count }, (_, index) => {
    const entry = directory + 16 + index * 8;
    const [name, target] = [file.readUInt32LE(entry), file.readUInt32LE(entry + 4)];
    return { name: nameOf(file, root, name), at: root + (target & 0x7fffffff) };
  });
}

function nameOf(file: Buffer, root: number, name: number): string {
  if (name < 0x80000000) {
    return String(name);
  }
  const at = root + (name & 0x7fffffff);
  return file.toString("utf16le", at + 2, at + 2 + file.readUInt16LE(at) * 2);
}
