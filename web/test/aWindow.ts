import type { WindowLocation, WorkerMessage } from '../src/push/workerMessage.ts';
import type { Window } from '../src/worker/scope.ts';

export type TestWindow = Window & { told: WorkerMessage[]; did: string[] };

/** An open window: loaded from `loaded`; a console in which somebody is signed in says that it is at `now`. */
export function testWindow(loaded: string, now?: string, front = true): TestWindow {
  const told: WorkerMessage[] = [];
  const did: string[] = [];
  return {
    url: `https://settee.test${loaded}`,
    focused: front,
    visibilityState: front ? 'visible' : 'hidden',
    told,
    did,
    async focus() {
      did.push('focus');
    },
    async navigate(url) {
      did.push(`navigate ${url}`);
    },
    postMessage(message, [port]) {
      told.push(message as WorkerMessage);
      if (now === undefined || !(port instanceof MessagePort)) return;
      const here: WindowLocation = { path: now, looksAt: front };
      port.postMessage((message as WorkerMessage).type === 'where' ? here : 'heard');
    },
  };
}
