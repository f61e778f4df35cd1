import { defaultBrand } from '@settee/protocol/model/brand';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { aQueueRow } from '../../test/aQueueRow.ts';
import type { Push } from '../push/push.ts';
import type { SessionStore } from '../staff/session.ts';
import { AccountMenu } from './account/AccountMenu.tsx';
import type { Console, ConsoleState } from './console.ts';
import { SignedInContext } from './context.ts';
import type { DraftStore } from './draftStore.ts';
import { CommandsContext, commandRegistry } from './keys/commands.ts';
import { OpenQueue } from './queue/OpenQueue.tsx';
import { createScreen } from './screen.ts';

const row = aQueueRow('a', { visitorName: 'Jonas' });
const state: ConsoleState = {
  ended: undefined,
  brand: defaultBrand,
  queue: [row],
  part: null,
  visitorsHere: new Set(['a']),
  deskReads: 1,
  away: false,
  settings: defaultSettings,
};
const never = () => () => {};
const commands = commandRegistry();
const shared = createScreen();
const drafts = { subscribe: never, read: () => '' } as unknown as DraftStore;
const none = { selected: null, start() {}, stop() {}, toggle() {}, selectAll() {} };

function Desk({ up }: { up: boolean }) {
  const line = { status: () => (up ? 'open' : 'connecting'), dead: () => !up, onStatus: never };
  const console = { get: () => state, subscribe: never, onOwnAction: never, line } as unknown as Console;
  const staff = { staffId: 's', name: 'Ana Kovač', role: 'handler', alias: 'mara-east' } as never;
  return (
    <MemoryRouter>
      <CommandsContext value={commands}>
        <SignedInContext
          value={{ session: {} as SessionStore, push: {} as Push, staff, console, drafts, screen: shared }}
        >
          <AccountMenu />
          <div style={{ display: 'flex', height: 300 }}>
            <OpenQueue
              part={null}
              all={[row]}
              show="all"
              now={Date.now()}
              openId={undefined}
              settings={defaultSettings}
              selection={none}
            />
          </div>
        </SignedInContext>
      </CommandsContext>
    </MemoryRouter>
  );
}

test('while the console is offline, neither the handler nor a visitor shows as online', async () => {
  const screen = await render(<Desk up />);
  await expect.element(screen.getByRole('button', { name: /Ana Kovač, Online$/ })).toBeVisible();
  await expect.element(screen.getByText('(online)')).toBeInTheDocument();
  await screen.rerender(<Desk up={false} />);
  await expect.element(screen.getByRole('button', { name: /Ana Kovač, Not connected$/ })).toBeVisible();
  await expect.element(screen.getByText('(online)')).not.toBeInTheDocument();
});
