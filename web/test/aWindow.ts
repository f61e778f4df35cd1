import type { FromWorker, Whereabouts } from '../src/push/fromWorker.ts';
import type { Window } from '../src/worker/scope.ts';

export type TestWindow = Window & { told: FromWorker[]; did: string[] };

/** An open window: loaded from `loaded`; a console in which somebody is signed in says that it is at `now`. */
export function testWindow(loaded: string, now?: string, front = true): TestWindow {
  const told: FromWorker[] = [];
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
      told.push(message as FromWorker);
      if (now === undefined || !(port instanceof MessagePort)) return;
      const here: Whereabouts = { path: now, looksAt: front };
      port.postMessage((message as FromWorker).type === 'where' ? here : 'heard');
    },
  };
}
