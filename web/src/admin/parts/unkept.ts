/** What is lost with the page, as the question about it. */
export type Unkept = { title: string; note: string };

const all = new Set<Unkept>();
const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** From now on the browser asks before it leaves the page, and the area before somebody signs out; until the answer is called. */
export function askBeforeLeaving(what: Unkept): () => void {
  all.add(what);
  addEventListener('beforeunload', ask);
  return () => {
    all.delete(what);
    if (all.size === 0) removeEventListener('beforeunload', ask);
  };
}

/** The latest, which is what somebody looks at. */
export function latestUnkept(): Unkept | undefined {
  return [...all].at(-1);
}
