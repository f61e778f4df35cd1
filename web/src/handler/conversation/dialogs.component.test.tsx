import { defaultBrand } from '@settee/protocol/model/brand';
import type { Desk, StaffClaims } from '@settee/protocol/model/staff';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import type { Push } from '../../push/push.ts';
import type { SessionStore } from '../../staff/session.ts';
import type { Console, ConsoleState } from '../console.ts';
import { SignedInContext } from '../context.ts';
import type { DraftStore } from '../draftStore.ts';
import { createScreen } from '../screen.ts';
import { HandOverDialog } from './HandOverDialog.tsx';
import { NoConversation } from './NoConversation.tsx';

const desks: Desk[] = [{ alias: 'mara-tour', people: ['Theo Marchand'], online: true }];
const session = {
  api: async () => ({ ok: true, answer: { success: true, desks } }),
} as unknown as SessionStore;
const state: ConsoleState = {
  ended: undefined,
  brand: defaultBrand,
  queue: [],
  part: null,
  visitorsHere: new Set(),
  deskReads: 1,
  away: false,
  settings: defaultSettings,
};
const console = { get: () => state, subscribe: () => () => {} } as unknown as Console;

function As({ alias, children }: { alias: string | null; children: ReactNode }) {
  const staff = { staffId: 's', name: 'Ana Kovač', role: 'admin', alias } as StaffClaims;
  return (
    <QueryClientProvider client={new QueryClient()}>
      <SignedInContext
        value={{
          session,
          staff,
          console,
          drafts: {} as DraftStore,
          push: {} as Push,
          screen: createScreen(),
        }}
      >
        {children}
      </SignedInContext>
    </QueryClientProvider>
  );
}

const nothing = () => {};

test('the hand-over focuses its first desk once the desks have loaded', async () => {
  const screen = await render(
    <As alias="mara-east">
      <HandOverDialog conversationId="c" name="Jonas" onDone={nothing} onFailed={nothing} onClose={nothing} />
    </As>,
  );
  const desk = screen.getByRole('radio', { name: /mara-tour/ });
  await expect.element(desk).toHaveFocus();
  await expect.element(desk).not.toBeChecked();
});

test('an administrator without a desk reads so, with a link to all conversations', async () => {
  const screen = await render(
    <As alias={null}>
      <NoConversation />
    </As>,
  );
  await expect.element(screen.getByRole('heading', { name: 'You have no desk' })).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'All conversations' }))
    .toHaveAttribute('href', '/admin/conversations');
  await expect.element(screen.getByText("You're all caught up")).not.toBeInTheDocument();
});
