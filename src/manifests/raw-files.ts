import type { ImageRef, PolicyUpdate, Resource, ResourceId } from "@weir/flux";
import { checkSource } from "@weir/yaml/go-yaml";
import { assembleManifests, type ManifestSet } from "./assemble.ts";
import type { EditOptions } from "./edit/edit-file.ts";
import { withImage, withPolicies } from "./edit-manifest.ts";
import { encryptedFileError, mayBeEncrypted } from "./encrypted.ts";
import { ResourceNotFoundError } from "./errors.ts";
import { editFileInside } from "./files/edit-in-place.ts";
import { folderFiles } from "./files/folder-files.ts";
import { type FileOptions, type LoadedFiles, loadFiles, soundBefore } from "./load.ts";
import { type ParsedFile, parseManifests } from "./parse.ts";
import type { ScopePort } from "./scope.ts";
import type { ManifestStore } from "./store.ts";

/** A checkout, and how to read and edit its files. */
export interface RawFilesOptions extends Omit<FileOptions, "signal" | "files"> {
  /** The root of the checkout, as an absolute path. */
  readonly root: string;
  readonly scopes: ScopePort;
  readonly edit?: EditOptions;
}

/**
 * A store for the files of a checkout that nobody else changes: files are read once, and after an edit, only the edited
 * one is read again.
 */
export class RawFiles implements ManifestStore {
  readonly #options: RawFilesOptions;
  #loaded: LoadedFiles | undefined;
  #set: ManifestSet | undefined;

  constructor(options: RawFilesOptions) {
    this.#options = options;
  }

  async resources(signal: AbortSignal): Promise<ManifestSet> {
    this.#set ??= await this.#assemble(signal);
    return this.#set;
  }

  async setWorkloadImage(
    id: ResourceId,
    container: string,
    image: ImageRef,
    signal: AbortSignal,
  ): Promise<void> {
    const { edit = {} } = this.#options;
    await this.#edit(id, signal, (text, resource) =>
      withImage(text, resource, { container, image, ...edit }),
    );
  }

  async updateWorkloadPolicies(id: ResourceId, update: PolicyUpdate, signal: AbortSignal): Promise<boolean> {
    const { edit = {} } = this.#options;
    return await this.#edit(id, signal, (text, resource) =>
      withPolicies(text, resource, { update, ...edit }),
    );
  }

  /** The current files, without checking what they define together. */
  async load(signal: AbortSignal): Promise<LoadedFiles> {
    this.#loaded ??= await loadFiles({ ...this.#options, files: folderFiles(this.#options.root), signal });
    return this.#loaded;
  }

  /** Resolves to false if the text stays the same. */
  async #edit(
    id: ResourceId,
    signal: AbortSignal,
    change: (text: Uint8Array, resource: Resource) => string | undefined,
  ): Promise<boolean> {
    const { resources } = await this.resources(signal);
    const resource = resources.get(id);
    if (resource === undefined) {
      throw new ResourceNotFoundError(id);
    }
    const text = await editFileInside(this.#options.root, resource.source, async (content) => {
      signal.throwIfAborted();
      const after = change(content, resource);
      await this.#checkEncrypted(resource.source, { before: content, after }, signal);
      return after;
    });
    if (text !== undefined) {
      this.#forget(resource.source, text);
    }
    return text !== undefined;
  }

  /** The MAC of an encrypted file also covers values in plain text, and only sops can write a new one. */
  async #checkEncrypted(
    source: string,
    { before, after }: { readonly before: Buffer; readonly after: string | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const { decrypt } = this.#options;
    if (decrypt === undefined || after === undefined || !mayBeEncrypted(before)) {
      return;
    }
    try {
      await decrypt(Buffer.from(after), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw encryptedFileError(source, error);
    }
  }

  /** An encrypted file must be decrypted again, so all files are read again. */
  #forget(source: string, text: string): void {
    const edited = parseManifests(checkSource(text), source);
    this.#loaded =
      this.#options.decrypt === undefined && this.#loaded !== undefined
        ? { ...this.#loaded, files: replaced(this.#loaded.files, edited) }
        : undefined;
    this.#set = undefined;
  }

  async #assemble(signal: AbortSignal): Promise<ManifestSet> {
    const { scopes, quarantine = false } = this.#options;
    const { files } = await this.load(signal);
    const before = soundBefore(files, this.#options);
    return await assembleManifests({ files, before, scopes, signal, quarantine });
  }
}

function replaced(files: readonly ParsedFile[], edited: ParsedFile): readonly ParsedFile[] {
  return files.map((file) => (file.source === edited.source ? edited : file));
}
