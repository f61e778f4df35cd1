import { expect, test, vi } from 'vitest';
import { aChat } from '../../test/aDesk.ts';
import { emulateMedia } from '../../test/emulate.ts';
import { idOf } from '../../test/idOf.ts';
import { renderConsole } from '../../test/renderConsole.tsx';
import { renderVisitor } from '../../test/renderVisitor.tsx';

const FASTEST_TIMER_MS = 1_000;
const lines = ['Hello', { sender: 'owner', text: 'Welcome' }] as const;

/** From here on time is fake. Returns what ran since the last call: animation frames, and timers faster than 1 s. */
function countRuns(): () => string[] {
  vi.useFakeTimers();
  let ran: string[] = [];
  const { requestAnimationFrame, setTimeout, setInterval } = globalThis;
  const noted = (kind: string, run: (...args: unknown[]) => void, ms: number) => {
    const { stack } = new Error();
    return (...args: unknown[]) => {
      if (ms < FASTEST_TIMER_MS) ran.push(`${kind} ${ms} ms ${stack}`);
      run(...args);
    };
  };
  vi.stubGlobal('requestAnimationFrame', (run: () => void) =>
    requestAnimationFrame(noted('animation frame', run, 0)),
  );
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0, ...args: unknown[]) =>
    setTimeout(noted('timeout', run, ms), ms, ...args),
  );
  vi.stubGlobal('setInterval', (run: () => void, ms = 0, ...args: unknown[]) =>
    setInterval(noted('interval', run, ms), ms, ...args),
  );
  return () => {
    const before = ran;
    ran = [];
    return before;
  };
}

const moving = () =>
  document
    .getAnimations()
    .filter(({ playState }) => playState === 'running')
    .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 100));

test.each([
  ['on the visitor’s page', () => renderVisitor({ messages: lines })],
  [
    'in the console',
    () => renderConsole({ path: `/handler/conversation/${idOf('Ida')}`, chats: [aChat('Ida', lines)] }),
  ],
])(
  'an idle chat %s requests no animation frames, animates nothing and runs no timer faster than 1 s',
  async (_, open) => {
    // With reduced motion, as in other tests, nothing would move anyway.
    await emulateMedia({ 'prefers-reduced-motion': 'no-preference' });
    const runs = countRuns();
    const { screen, gateway } = await open();
    await expect.element(screen.getByRole('log').getByText('Welcome')).toBeVisible();
    await expect.poll(moving).toEqual([]);
    const pings = gateway.received('ping').length;
    // Some parts load late, so the page may need several minutes until it is idle.
    await expect
      .poll(async () => {
        runs();
        await vi.advanceTimersByTimeAsync(60_000);
        return runs();
      })
      .toEqual([]);
    // Time did pass.
    expect(gateway.received('ping').length).toBeGreaterThan(pings);
  },
);
