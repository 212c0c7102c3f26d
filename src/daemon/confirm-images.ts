import { type ImageRegistry, RegistryAwayError } from "../image/registry.ts";
import { questionsAbout, type Replacement } from "../update/confirm.ts";
import type { RegistryAnswer } from "../update/images.ts";

/**
 * Asks registries about images that are to be written, all at the same time. One that does not answer is left out;
 * that it does not is told by whoever asks it.
 */
export async function askRegistries(
  replacements: readonly Replacement[],
  images: ImageRegistry,
  signal: AbortSignal,
): Promise<readonly RegistryAnswer[]> {
  const answers = await Promise.all(
    questionsAbout(replacements).map(async (question): Promise<readonly RegistryAnswer[]> => {
      try {
        const said = await images.confirm(question.repository, question.tags, signal);
        return [{ ...question, said }];
      } catch (error) {
        if (error instanceof RegistryAwayError) {
          return [];
        }
        throw error;
      }
    }),
  );
  return answers.flat();
}
