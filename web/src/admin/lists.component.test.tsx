import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as inviteTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { aChat } from '../../test/aDesk.ts';
import { idOf } from '../../test/chats.ts';
import { anAuditEntry, anInvite, auditLog, inviteList, renderAdmin } from '../../test/renderAdmin.tsx';
import { Nothing } from './conversations/ConversationTable.tsx';
import { BulkBar } from './parts/BulkBar.tsx';
import { ListFoot, ListPanel } from './parts/ListPage.tsx';
import { type Column, ListRow, ListTable } from './parts/ListTable.tsx';
import { Chips, SearchField, ToolbarSelect } from './parts/ListTools.tsx';
import { useSelection } from './parts/useSelection.ts';

/** Whether nothing hides the upper and lower edge of an element. */
function isInView(element: Element | null): boolean {
  if (!element) return false;
  const { left, top, bottom } = element.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(left + 20, y)));
}

test('an administrator who reads a chat sees who wrote each reply', async () => {
  const chat = aChat('Jonas Weber', ['Is it on?', { sender: 'owner', text: 'Yes' }]);
  const author = { id: idOf('Theo Marchand'), name: 'Theo Marchand' };
  const { screen } = await renderAdmin({
    path: `/admin/conversations/${chat.conversation.id}`,
    chats: [chat],
    answers: { readAuthors: { authors: [{ seq: 2, author }] } },
  });
  await expect.element(screen.getByRole('log').getByRole('article', { name: /^Theo/ })).toBeVisible();
});

test('messages of every desk are found, announced, and open in their place', async () => {
  const lines = Array.from({ length: 120 }, (_, n) => ({ sender: 'owner' as const, text: `Page ${n}` }));
  const chat = aChat('Jonas Weber', ['Is the garden tour still on?', ...lines]);
  const { id, visitorId, visitorName, handlerAlias } = chat.conversation;
  const found = {
    conversationId: id,
    visitorId,
    visitorName,
    status: 'open' as const,
    handlerAlias,
    seq: 1,
    sender: 'visitor' as const,
    text: 'Is the garden tour still on?',
    createdAt: Date.now(),
  };
  const { screen, gateway } = await renderAdmin({
    path: '/admin/conversations',
    chats: [chat],
    answers: {
      searchMessages: ({ query }) => ({ messages: query.q === 'garden' ? [found] : [], complete: true }),
    },
  });
  const field = screen.getByRole('searchbox');
  await field.fill('garden');
  await expect.element(screen.getByRole('heading', { name: adminTexts.noMatches })).toBeVisible();
  await screen.getByRole('radio', { name: texts.inMessages }).click();
  const row = screen.getByRole('table', { name: texts.searchMessages }).getByRole('row').nth(1);
  await expect.poll(() => row.query()?.textContent).toContain('Is the garden tour still on?');
  expect(row.element().querySelector('mark')?.textContent).toBe('garden');
  await expect.element(screen.getByText('1 found')).toBeInTheDocument();
  await row.getByRole('link').click();
  await expect.poll(() => location.search).toMatch(/[?&]message=1$/);
  expect(location.pathname).toBe(`/admin/conversations/${id}`);
  const pane = screen.getByRole('region', { name: texts.thread });
  await expect.poll(() => isInView(pane.getByText('Is the garden tour still on?').query())).toBe(true);

  // Typing does not search; Enter does.
  expect(gateway.asked('searchMessages')).toHaveLength(1);
  await field.fill('garden nothing');
  await expect.element(screen.getByText(texts.pressEnter)).toBeVisible();
  expect(gateway.asked('searchMessages')).toHaveLength(1);
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('Nothing found')).toBeInTheDocument();
  expect(gateway.asked('searchMessages').map(({ query }) => query.q)).toEqual(['garden', 'garden nothing']);
});

test('a double click on Close closes, and does not reopen', async () => {
  const chat = aChat('Dora');
  const { conversation } = chat;
  const { screen, gateway } = await renderAdmin({
    path: `/admin/conversations/${idOf('Dora')}`,
    chats: [chat],
  });
  // The server reports the new status to every page that shows the conversation.
  gateway.answer('setStatus', ({ body }) => {
    conversation.status = body.status;
    conversation.rev += 1;
    gateway.push({ type: 'conversation', conversation });
    return { conversation };
  });
  const pane = screen.getByRole('region', { name: texts.thread });
  const close = pane.getByRole('button', { name: texts.close, exact: true });
  const reopen = pane.getByRole('button', { name: texts.reopen });
  const changes = () => gateway.asked('setStatus').map(({ body }) => body.status);
  // As fast as the server: at the second click the button already says Reopen.
  await close.click();
  await expect.element(reopen).toBeVisible();
  await userEvent.dblClick(reopen);
  await expect.element(close).toBeVisible();
  expect(changes()).toEqual(['closed', 'open']);

  // As slow as possible: the second click comes while the first call is in flight.
  const release = gateway.hold('setStatus');
  await close.click();
  await expect.element(close).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  release();
  await expect.element(reopen).toBeVisible();
  expect(changes()).toEqual(['closed', 'open', 'closed']);
});

const filters = { show: '', alias: '', q: 'lighthouse', in: '' } as const;

test('a search of names and labels that finds nothing offers to search the messages', async () => {
  const onChange = vi.fn();
  const screen = await render(<Nothing filters={filters} onChange={onChange} onShowAll={() => {}} />);
  await screen.getByRole('button', { name: 'Search messages instead' }).click();
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ ...filters, in: 'messages' });
});

test('the audit log shows what a command writes, without an update event', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { screen, gateway } = await renderAdmin({ path: '/admin/audit?q=told' });
  await expect.element(screen.getByText(adminTexts.noMatches)).toBeVisible();
  const target = { kind: 'person' as const, id: 'told', name: 'told' };
  gateway.answer('readAudit', auditLog([anAuditEntry(1, { target })]));
  // The page polls it twice a minute.
  vi.advanceTimersByTime(31_000);
  await expect.element(screen.getByRole('row', { name: /told/ })).toBeVisible();
});

test('a search of the audit log continues with older entries, and says nothing is missing before the end', async () => {
  const head = { count: 150_000, hash: 'e3b0c442'.repeat(8) };
  const target = { kind: 'person' as const, id: 'told', name: 'told' };
  const { screen, gateway } = await renderAdmin({
    path: '/admin/audit',
    answers: { readAudit: auditLog([anAuditEntry(1)]) },
  });
  await expect.element(screen.getByRole('row', { name: /Signed in/ })).toBeVisible();
  gateway.answer('readAudit', ({ query: { before } }) => {
    if (before === undefined) return { entries: [], next: 100_000, head };
    if (before === 100_000) return { entries: [anAuditEntry(70_000, { target })], next: 50_000, head };
    return { entries: [], next: null, head };
  });
  let saidNothing = false;
  const observer = new MutationObserver(() => {
    saidNothing ||= document.body.textContent.includes(adminTexts.noMatches);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await screen.getByLabelText(auditTexts.search).fill('told');
  await expect.element(screen.getByRole('row', { name: /told/ })).toBeVisible();
  await expect
    .poll(() =>
      gateway
        .asked('readAudit')
        .map(({ query }) => query.before)
        .slice(-3),
    )
    .toEqual([undefined, 100_000, 50_000]);
  await expect.element(screen.getByText(fillText(adminTexts.found, { count: 1 }))).toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: adminTexts.more })).not.toBeInTheDocument();
  observer.disconnect();
  expect(saidNothing).toBe(false);
});

const columns: readonly Column<string>[] = [
  { text: 'Name', cell: (name) => name },
  { text: 'State', width: 120, cell: () => 'Open' },
];

const names = Array.from({ length: 40 }, (_, number) => `Row ${number + 1}`);

function Example({ onTask = () => {} }: { onTask?: (name: string) => void }) {
  const [words, setText] = useState('');
  const [kind, setKind] = useState('all');
  const selection = useSelection(names);
  return (
    <div style={{ blockSize: 480, display: 'flex', flexDirection: 'column' }}>
      <ListPanel
        label="Rows"
        tools={
          <>
            <SearchField label="Search rows" value={words} onChange={setText} />
            <Chips
              label="Show"
              value={kind}
              options={[
                { value: 'all', text: 'All', count: 1_234 },
                { value: 'new', text: 'New', count: 2 },
              ]}
              onChange={setKind}
            />
            <ToolbarSelect
              label="Handler"
              value=""
              options={[{ value: '', text: 'Anyone' }]}
              onChange={() => {}}
            />
          </>
        }
        foot={
          <ListFoot shown={40} total={320} more={{ load() {}, busy: false, failed: false }} thing="rows" />
        }
      >
        <ListTable
          label="Rows"
          columns={columns}
          ticks={{ ...selection.ticks, label: 'Select all shown' }}
          menus="Actions"
        >
          {names.map((name) => (
            <ListRow
              key={name}
              columns={columns}
              row={name}
              now={0}
              tick={{
                label: `Select ${name}`,
                selected: selection.selected.includes(name),
                onSelect: (on) => selection.select(name, on),
              }}
              menu={{
                label: `Actions for ${name}`,
                items: [{ text: 'Edit', run: () => onTask(name) }],
              }}
            />
          ))}
        </ListTable>
      </ListPanel>
      <BulkBar count={selection.selected.length} onClear={selection.clear}>
        <button type="button">Revoke</button>
      </BulkBar>
    </div>
  );
}

test('selected rows show one bar, and Escape clears the selection', async () => {
  await page.viewport(1100, 700);
  const screen = await render(<Example />);
  const bar = screen.getByRole('region', { name: '2 selected' });
  await screen.getByRole('checkbox', { name: 'Select Row 2' }).click();
  await screen.getByRole('checkbox', { name: 'Select Row 3' }).click();
  await expect.element(bar).toBeVisible();
  const row = screen.getByRole('row', { name: /Row 2 / }).element();
  expect(row.getAttribute('data-selected')).toBe('true');
  const all = screen.getByRole('checkbox', { name: 'Select all shown' }).element() as HTMLInputElement;
  expect(all.indeterminate).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(bar).not.toBeInTheDocument();
  expect(row.getAttribute('data-selected')).toBe('false');
});

test('a list without tools has no toolbar', async () => {
  const screen = await render(<ListPanel label="Rows">Nothing yet</ListPanel>);
  await expect.element(screen.getByRole('region', { name: 'Rows' })).toBeVisible();
  await expect.element(screen.getByRole('search')).not.toBeInTheDocument();
});

test('a row’s menu opens by its button and by a right click in the row', async () => {
  await page.viewport(1100, 700);
  const onTask = vi.fn();
  const screen = await render(<Example onTask={onTask} />);
  await screen.getByRole('cell', { name: 'Open' }).nth(2).click({ button: 'right' });
  await screen.getByRole('menuitem', { name: 'Edit' }).click();
  expect(onTask).toHaveBeenCalledWith('Row 3');
  await screen.getByRole('button', { name: 'Actions for Row 5' }).click();
  await screen.getByRole('menuitem', { name: 'Edit' }).click();
  expect(onTask).toHaveBeenLastCalledWith('Row 5');
});

test('the slash focuses the search, and its button clears it', async () => {
  await page.viewport(1100, 700);
  const screen = await render(<Example />);
  const field = screen.getByRole('searchbox', { name: 'Search rows' });
  await userEvent.keyboard('/');
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('a/b');
  await expect.element(field).toHaveValue('a/b');
  await screen.getByRole('button', { name: 'Clear search' }).click();
  await expect.element(field).toHaveValue('');
  await expect.element(field).toHaveFocus();
});

test('on a phone rows are cards, and nothing is wider than the page', async () => {
  await page.viewport(360, 700);
  const screen = await render(<Example />);
  const row = screen.getByRole('row', { name: /Row 1 / }).element();
  expect(getComputedStyle(row).display).toBe('flex');
  const panel = row.closest('table')?.parentElement;
  expect(panel?.scrollWidth).toBeLessThanOrEqual(panel?.clientWidth ?? 0);
  await expect.element(screen.getByText('Select all shown')).toBeVisible();
});

test.each([
  {
    path: '/admin/conversations?show=closed',
    call: 'listConversations',
    row: 'Jonas Weber',
    found: texts.open,
    none: texts.blocked,
  },
  {
    path: '/admin/invites?state=REVOKED',
    call: 'readInvites',
    row: 'Spring tour',
    found: inviteTexts.states.NEW,
    none: inviteTexts.states.BOUND,
  },
] as const)(
  'while another filter of $path loads, nothing shows as missing, and the old rows are dimmed',
  async ({ path, call, row, found, none }) => {
    const { screen, gateway } = await renderAdmin({
      path,
      chats: [aChat('Jonas Weber')],
      answers: { readInvites: inviteList([anInvite('Spring tour')]) },
    });
    const noMatches = screen.getByText(adminTexts.noMatches);
    const choose = (name: string) => screen.getByRole('radio', { name: new RegExp(`^${name}`) }).click();
    const dimmedRow = () => document.querySelector('main [aria-busy="true"] tbody tr')?.textContent;
    await expect.element(noMatches).toBeVisible();
    const release = gateway.hold(call);
    await choose(found);
    await expect.element(screen.getByRole('main').getByText(adminTexts.adminLoading)).toBeVisible();
    await expect.element(noMatches).not.toBeInTheDocument();
    release();
    await expect.element(screen.getByRole('row', { name: new RegExp(row) })).toBeVisible();
    expect(dimmedRow()).toBeUndefined();

    const releaseAgain = gateway.hold(call);
    await choose(none);
    await expect.poll(dimmedRow).toContain(row);
    releaseAgain();
    await expect.element(noMatches).toBeVisible();
  },
);
