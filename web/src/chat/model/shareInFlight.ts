/** Whoever asks while the work is under way gets its answer; it is done once at a time. */
export function shareInFlight<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<Answer> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
