/** What is lost with the page, as the question about it. */
export type UnsavedWork = { title: string; note: string };

const all = new Set<UnsavedWork>();
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** From now on the browser asks before it leaves the page, and the area before somebody signs out; until the answer is called. */
export function warnBeforeLeaving(what: UnsavedWork): () => void {
  all.add(what);
  addEventListener('beforeunload', ask);
  return () => {
    all.delete(what);
    if (all.size === 0) removeEventListener('beforeunload', ask);
  };
}

/** The latest, which is what somebody looks at. */
export function latestUnsavedWork(): UnsavedWork | undefined {
  return [...all].at(-1);
}
