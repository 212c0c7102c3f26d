import {
  type ImageRegistry,
  questionsAbout,
  type RegistryAnswer,
  RegistryAwayError,
  type Replacement,
} from "@weir/flux";

/**
 * Queries registries at the same time about images that are about to be written. Images whose registry doesn't respond
 * are left out; the confirmer logs that.
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
