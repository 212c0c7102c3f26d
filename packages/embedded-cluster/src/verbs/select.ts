/** Which objects a list or watch is about. */
import { demanded, type FieldSelector, selectsFields } from "../api/field-selector.ts";
import type { ListOptions } from "../api/options.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { badRequestError } from "../status-errors.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";

/** Tells whether an object is selected. */
export type Selection = (object: StoredObject) => boolean;

/** The objects of a request: those of a namespace ("" for all) that its selectors select. */
export interface Scope {
  readonly namespace: string;
  /** The one name that is asked for, or undefined. */
  readonly name: string | undefined;
  readonly selects: Selection;
}

/** Puts the selectors of a request together. Throws KubeApiError (400) for fields that cannot be selected by. */
export function scopeOf(
  resource: ServedResource,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  options: ListOptions,
): Scope {
  const terms: FieldSelector =
    name === "" ? options.fields : [...options.fields, { field: "metadata.name", equal: true, value: name }];
  const fields = resource.rules.selectableFields;
  requireSelectable(resource, options.fields);
  const metadataOnly = terms.every(({ field }) => isMetadata(field));
  const selects: Selection = (object) =>
    options.labels(object.labels) &&
    (terms.length === 0 ||
      selectsFields(terms, {
        ...(metadataOnly ? {} : fields?.(treeOf(object))),
        "metadata.name": object.name,
        "metadata.namespace": object.namespace,
      }));
  return {
    namespace: namespace === "" ? (demanded(options.fields, "metadata.namespace") ?? "") : namespace,
    name: demanded(terms, "metadata.name"),
    selects: (object) => (namespace === "" || object.namespace === namespace) && selects(object),
  };
}

function requireSelectable(resource: ServedResource, terms: FieldSelector): void {
  const known = Object.keys(resource.rules.selectableFields?.({}) ?? {});
  for (const { field } of terms) {
    if (!isMetadata(field) && !known.includes(field)) {
      throw badRequestError(
        resource.rules.selectableFields === undefined
          ? `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
          : `field label not supported: ${field}`,
      );
    }
  }
}

function isMetadata(field: string): boolean {
  return field === "metadata.name" || field === "metadata.namespace";
}
