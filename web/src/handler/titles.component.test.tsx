import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { aChat } from '../../test/aDesk.ts';
import { Refused } from '../../test/fakeGateway.ts';
import { idOf } from '../../test/idOf.ts';
import { renderConsole } from '../../test/renderConsole.tsx';
import { sessionStore } from '../staff/session.ts';
import { HandlerTest } from './handlerTest/HandlerTest.tsx';

test('[R-06] each page and step of the console has its own title', async () => {
  const signedOut = { refreshStaff: () => new Refused('unauthenticated') };
  // The page asks for it after its title, if its script is fast.
  const account = { readAccount: () => new Refused('unavailable') };
  const steps = [
    ['/handler', 'Sign in · Settee · Console', signedOut],
    ['/handler', 'Settee · Console'],
    [`/handler/conversation/${idOf('Jonas Weber')}`, 'Jonas Weber · Settee · Console'],
    ['/handler/security', 'Sign-in security · Settee · Console', account],
    ['/handler?denied', 'Access Denied · Settee · Console'],
  ] as const;
  for (const [path, title, answers] of steps) {
    const chats = [aChat('Jonas Weber', ['Hello', { sender: 'owner', text: 'Hello' }])];
    const { screen } = await renderConsole({ path, chats, atOnce: true, ...(answers && { answers }) });
    await expect.poll(() => document.title).toBe(title);
    await screen.unmount();
  }
  await render(<HandlerTest session={sessionStore()} />);
  await expect.poll(() => document.title).not.toBe('Access Denied · Settee · Console');
  expect(steps.map(([, title]) => title)).not.toContain(document.title);
});
