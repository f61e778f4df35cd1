import { useRef } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Panel } from './Panel.tsx';
import type { Push, PushState, PushStatus } from './push.ts';

const panelTexts = {
  push: { offer: 'Get notified of replies, even when this page is closed.', on: 'On for this device.' },
  notices: { offer: 'Get notified while this tab is open.', on: 'On in this tab.' },
};

function pushAt(status: PushStatus): Push {
  const state: PushState = { status, offers: 'push', busy: null, problem: null, news: null };
  const nothing = async () => {};
  return {
    get: () => state,
    subscribe: () => () => {},
    refresh: nothing,
    outdate: () => {},
    look: nothing,
    enable: nothing,
    disable: nothing,
    test: nothing,
    leave: nothing,
    forget: nothing,
  };
}

function Header({ status }: { status: PushStatus }) {
  const corner = useRef<HTMLElement>(null);
  return (
    <header ref={corner} style={{ position: 'relative', height: 68 }}>
      <Panel push={pushAt(status)} corner={corner} panelTexts={panelTexts} onClose={() => {}} />
    </header>
  );
}

const marks: [PushStatus, string][] = [
  ['off', 'off'],
  ['inTab', 'on'],
  ['on', 'on'],
  ['blocked', 'blocked'],
];

for (const [status, mark] of marks) {
  test(`the notification panel shows what is set and fits a small phone: ${status}`, async () => {
    await page.viewport(320, 640);
    const screen = await render(<Header status={status} />);
    const panel = screen.getByRole('dialog');
    await expect.element(panel).toBeVisible();
    expect(panel.element().querySelector<HTMLElement>('[data-look]')?.dataset.look).toBe(mark);
    const { left, right } = panel.element().getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(12);
    expect(right).toBeLessThanOrEqual(308);
    for (const button of panel.getByRole('button').elements()) {
      expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
    }
  });
}
