/** The content types of the patches that an API server takes. */
export const strategicMergePatchType = "application/strategic-merge-patch+json";
export const jsonMergePatchType = "application/merge-patch+json";
export const jsonPatchType = "application/json-patch+json";
/** Server-side apply: the body is what the field manager wants, not a difference. */
export const applyPatchType = "application/apply-patch+yaml";
