import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import type { Push } from '../../push/push.ts';
import { CommandsContext, commandRegistry } from '../keys/commands.ts';
import { ConversationHeader } from './ConversationHeader.tsx';

const nothing = () => {};
const action = { id: 'action', name: 'Action', text: 'Action', shape: [], run: nothing };
const commands = commandRegistry();

const header = (present: boolean, status: ConversationStatus = 'open') => (
  <CommandsContext value={commands}>
    <ConversationHeader
      id="name"
      name="Jonas Weber"
      present={present}
      profileName="Mara Lindqvist"
      // On a wide screen the bell is elsewhere.
      push={{} as Push}
      status={status}
      readOnly={false}
      alias="mara-east"
      actions={{
        changeStatus: action,
        transfer: action,
        markUnread: action,
        details: action,
        block: action,
      }}
      onBack={nothing}
      onSignOut={nothing}
    />
  </CommandsContext>
);

test("a conversation's header shows whether the visitor has a page open", async () => {
  const screen = await render(header(true));
  await expect.element(screen.getByText('(online)')).toBeInTheDocument();
  await screen.rerender(header(false));
  await expect.element(screen.getByText('(offline)')).toBeInTheDocument();
  await screen.rerender(header(true, 'closed'));
  await expect.element(screen.getByText('(online)')).not.toBeInTheDocument();
  // The heading contains only the name, because it labels the whole section.
  await expect.element(screen.getByRole('heading', { name: 'Jonas Weber', exact: true })).toBeVisible();
});
