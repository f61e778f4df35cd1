import type { Push } from './subscription.ts';

const READ_AFTER_MS = 100;

/** With a page: what the browser allows is read, and what is on is kept alive. Answers how to call it off. */
export function startPush(push: Push, how?: Parameters<Push['refresh']>[0]): () => void {
  const timer = setTimeout(() => void push.refresh(how), READ_AFTER_MS);
  return () => clearTimeout(timer);
}
