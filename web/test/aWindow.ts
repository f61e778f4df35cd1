import type { WindowLocation, WorkerMessage } from '../src/push/workerMessage.ts';
import type { Window } from '../src/worker/scope.ts';

export type TestWindow = Window & { posted: WorkerMessage[]; did: string[] };

/** An open window that was loaded from `loaded`. With `now`, it is a signed-in console that reports this path. */
export function testWindow(loaded: string, now?: string, front = true): TestWindow {
  const posted: WorkerMessage[] = [];
  const did: string[] = [];
  return {
    url: `https://settee.test${loaded}`,
    focused: front,
    visibilityState: front ? 'visible' : 'hidden',
    posted,
    did,
    async focus() {
      did.push('focus');
    },
    async navigate(url) {
      did.push(`navigate ${url}`);
    },
    postMessage(message, [port]) {
      posted.push(message as WorkerMessage);
      if (now === undefined || !(port instanceof MessagePort)) return;
      const here: WindowLocation = { path: now, looksAt: front };
      port.postMessage((message as WorkerMessage).type === 'where' ? here : 'received');
    },
  };
}
