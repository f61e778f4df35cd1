import { afterEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { emulateTouch } from '../../test/browser.ts';
import { fakePush } from '../../test/fakePush.ts';
import { reloadPage } from '../browser/reloadPage.ts';
import { Bell } from './Bell.tsx';

vi.mock('../browser/reloadPage.ts', { spy: true });

afterEach(() => void vi.restoreAllMocks());

const panelTexts = {
  push: { offer: 'Get notified, even when this page is closed.', on: 'On for this device.' },
  notices: { offer: 'Get notified while this tab is open.', on: 'On while this tab is open.' },
};

type World = ReturnType<typeof fakePush>['world'];

/** A header with the bell, whose panel is open, and a field below. */
async function openBell(different: Partial<World> = {}, person?: Parameters<typeof fakePush>[0]) {
  const { world, push } = fakePush(person);
  Object.assign(world, different);
  await push.refresh();
  const screen = await render(
    <>
      <header style={{ position: 'relative', height: 68 }}>
        <Bell push={push} panelTexts={panelTexts} />
      </header>
      <main style={{ height: 400 }}>
        <p>Messages</p>
      </main>
    </>,
  );
  const bell = screen.getByRole('button', { name: 'Notifications' });
  await bell.click();
  const panel = screen.getByRole('dialog');
  await expect.element(panel).toHaveFocus();
  return { screen, world, bell, panel };
}

test('[N-01] the panel offers Enable and Disable, and returns the focus', async () => {
  const { screen, bell, panel } = await openBell({ key: null });
  await expect.element(screen.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
  await expect.element(screen.getByRole('tooltip')).not.toBeInTheDocument();
  await panel.getByText(panelTexts.notices.offer).click();
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect.element(panel.getByText(panelTexts.notices.on)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(bell).toHaveFocus();

  await userEvent.keyboard('{Enter}');
  await panel.getByRole('button', { name: 'Disable' }).click();
  await expect.element(panel.getByRole('button', { name: 'Enable' })).toHaveFocus();
  await screen.getByText('Messages').click();
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(bell).toHaveFocus();
  await bell.click();
  await expect.element(panel).toBeVisible();
  await bell.click();
  await expect.element(panel).not.toBeInTheDocument();
});

test('[N-02] [E-07] a blocked permission shows Notifications Blocked, instructions and Refresh Page', async () => {
  const reloaded = vi.mocked(reloadPage).mockReturnValue();
  const { screen, panel } = await openBell({ answersPermission: 'denied' });
  panel.getByRole('button', { name: 'Enable' }).element().focus();
  await userEvent.keyboard('{Enter}');
  const blocked = screen.getByRole('dialog', { name: 'Notifications Blocked' });
  // The button is gone, but the focus stays in the panel.
  await expect.element(blocked).toHaveFocus();
  await expect.element(blocked.getByRole('alert')).toHaveTextContent('Notification permission denied');
  const steps = blocked.getByRole('listitem').elements();
  expect(steps.map((step) => step.textContent)).toEqual([
    expect.stringContaining('lock icon'),
    expect.stringContaining('Select Allow'),
    expect.stringContaining('Refresh'),
  ]);
  await blocked.getByRole('button', { name: 'Refresh Page' }).click();
  expect(reloaded).toHaveBeenCalledOnce();
});

test('on a touch screen the instructions say Tap', async () => {
  await emulateTouch();
  const { screen, panel } = await openBell({ answersPermission: 'denied' });
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect
    .element(screen.getByRole('listitem').first())
    .toHaveTextContent('Tap the lock icon beside the address');
});

test('[E-07] [N-04] the panel says that Enable or Disable failed and what to do, and a second press works', async () => {
  const { world, panel } = await openBell({ gives: false });
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect
    .element(panel.getByRole('alert'))
    .toHaveTextContent('Failed to get FCM tokenCheck your connection, then try again.');
  world.gives = true;
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect.element(panel.getByText(panelTexts.push.on)).toBeVisible();
  world.refuses.dropPush = { status: 0 };
  await panel.getByRole('button', { name: 'Disable' }).click();
  await expect
    .element(panel.getByRole('alert'))
    .toHaveTextContent('Failed to disable notificationsCheck your connection, then try again.');
  await expect.element(panel.getByText(panelTexts.push.on)).toBeVisible();
  world.refuses = {};
  await panel.getByRole('button', { name: 'Disable' }).click();
  await expect.element(panel.getByRole('button', { name: 'Enable' })).toHaveFocus();
  await expect.poll(() => panel.getByRole('alert').element().textContent).toBe('');
});
