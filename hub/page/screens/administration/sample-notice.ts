import { useNotice } from "../../ui/notices.tsx";

/** What becomes of a sample. */
interface SampleOutcome {
  readonly delivered: boolean;
  readonly answer: string;
}

/** Says what became of a sample that was sent; `taker` is who should take it, at the beginning of a sentence. */
export function useSampleNotice(taker: string): {
  readonly onSuccess: (outcome: SampleOutcome) => void;
  readonly onError: (error: Error) => void;
} {
  const notice = useNotice();
  return {
    onSuccess: ({ delivered, answer }) =>
      notice(
        delivered ? `${taker} took the sample. ${answer}` : `${taker} didn’t take the sample: ${answer}`,
      ),
    onError: ({ message }) => notice(message),
  };
}
