/** Texts of the warning about unsaved work. */
export type UnsavedWork = { title: string; note: string };

const all = new Set<UnsavedWork>();
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Warns before leaving and before sign-out, until the returned function is called. */
export function warnBeforeLeaving(what: UnsavedWork): () => void {
  all.add(what);
  addEventListener('beforeunload', ask);
  return () => {
    all.delete(what);
    if (all.size === 0) removeEventListener('beforeunload', ask);
  };
}

/** The latest one, which is on screen. */
export function latestUnsavedWork(): UnsavedWork | undefined {
  return [...all].at(-1);
}
