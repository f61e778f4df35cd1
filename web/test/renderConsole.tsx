import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { HandlerApp } from '../src/handler/HandlerApp.tsx';
import { forgetField } from '../src/handler/keys/removedField.ts';
import { sessionStore } from '../src/staff/session.ts';
import { aDesk, type DeskParts } from './aDesk.ts';
import { appRoot, goTo } from './appRoot.ts';
import { type Answers, fakeGateway } from './fakeGateway.ts';

type ConsoleOptions = DeskParts & {
  path?: string;
  /** Answers besides or instead of those of `aDesk`. */
  answers?: Answers;
  /** Returns at once, without waiting for the queue. */
  atOnce?: boolean;
};

/** The console at an address, on a fake gateway. For a reload, unmount it and render it again. */
export async function renderConsole({ path = '/handler', answers, atOnce, ...parts }: ConsoleOptions = {}) {
  goTo(path);
  // A new page has no focused field.
  forgetField();
  const desk = aDesk(parts);
  const gateway = fakeGateway('staff', { ...desk.answers, ...answers }, desk.frames);
  const screen = await render(<HandlerApp session={sessionStore()} />, { container: appRoot() });
  if (!atOnce) await expect.poll(() => gateway.received('watchQueue').length).toBeGreaterThan(0);
  return { screen, gateway, staff: desk.staff, chats: desk.chats };
}
