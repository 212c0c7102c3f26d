/** Resolves when one of the signals is aborted. */
export function eitherOf(...signals: readonly AbortSignal[]): Promise<void> {
  const any = AbortSignal.any([...signals]);
  return new Promise((resolve) => {
    if (any.aborted) {
      resolve();
    } else {
      any.addEventListener("abort", () => resolve(), { once: true });
    }
  });
}
