import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { AdminApp } from '../src/admin/AdminApp.tsx';
import { sessionStore } from '../src/staff/session.ts';
import type { DeskParts } from './aDesk.ts';
import { anAdmin } from './anAdmin.ts';
import { appRoot, goTo } from './appRoot.ts';
import { type Answers, fakeGateway } from './fakeGateway.ts';

type AdminOptions = DeskParts & {
  path?: string;
  /** Answers besides or instead of those of `anAdmin`. */
  answers?: Answers;
  /** Returns at once, without waiting for the socket. */
  atOnce?: boolean;
};

/** The admin area at an address, on a fake gateway. For a reload, unmount it and render it again. */
export async function renderAdmin({
  path = '/admin/dashboard',
  answers,
  atOnce,
  ...parts
}: AdminOptions = {}) {
  goTo(path);
  const admin = anAdmin(parts);
  const gateway = fakeGateway('staff', { ...admin.answers, ...answers }, admin.frames);
  const screen = await render(<AdminApp session={sessionStore()} />, { container: appRoot() });
  if (!atOnce) await expect.poll(() => gateway.received('watchManagement').length).toBeGreaterThan(0);
  return { screen, gateway, staff: admin.staff };
}
