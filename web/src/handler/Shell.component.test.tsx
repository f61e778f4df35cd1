import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { aChat } from '../../test/aDesk.ts';
import { emulateTouch } from '../../test/emulate.ts';
import { renderConsole } from '../../test/renderConsole.tsx';

const NAME = 'Bartholomäus von Ingelfingen-Hohenlohe';

test.each([
  { width: 1_920, panes: ['Console', 'My Queue', 'Details'] },
  { width: 1_280, panes: ['Console', 'My Queue', 'Details'] },
  { width: 900, panes: ['Console', 'My Queue'] },
  { width: 768, panes: [] },
  { width: 360, panes: [] },
])(
  '[H-04] at $width px the panes fit, and every control is large enough for a finger',
  async ({ width, panes }) => {
    await page.viewport(width, 800);
    await emulateTouch();
    const chat = aChat(NAME, ['Hello?']);
    const path = `/handler/conversation/${chat.conversation.id}`;
    const { screen } = await renderConsole({ path, chats: [chat] });
    await expect.element(screen.getByRole('log').getByText('Hello?')).toBeVisible();
    const all = {
      Console: screen.getByRole('navigation', { name: 'Console' }),
      'My Queue': screen.getByRole('region', { name: 'My Queue' }),
      Details: screen.getByRole('complementary', { name: 'Details' }),
    };
    const shown = () => Object.entries(all).filter(([, pane]) => pane.elements().length > 0);
    expect(shown().map(([name]) => name)).toEqual(panes);
    await expect.element(screen.getByRole('heading', { name: NAME, level: 1 })).toBeVisible();
    await expect.element(screen.getByText('Chat with Settee')).toBeVisible();

    const button = (name: string) => screen.getByRole('button', { name, exact: true });
    const inReach = async (target: Locator, name: string) => {
      await expect.element(target).toBeVisible();
      const box = target.element().getBoundingClientRect();
      expect(Math.min(box.width, box.height), name).toBeGreaterThanOrEqual(44);
      expect(box.right, name).toBeLessThanOrEqual(width);
    };
    for (const name of ['Back to Queue', 'More']) await inReach(button(name), name);
    // There is one bell at every width: in the header, or in the rail beside it.
    await inReach(screen.getByRole('button', { name: 'Notifications' }), 'Notifications');
    const phone = width < 900;
    if (phone) await button('More').click();
    for (const name of ['Close', 'Block', 'Sign Out']) {
      await inReach(phone ? screen.getByRole('menuitem', { name }) : button(name).first(), name);
    }
    if (phone) await userEvent.keyboard('{Escape}');
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);

    if (width >= 1_280) {
      const widths = shown().map(([, pane]) => pane.element().getBoundingClientRect().width);
      expect(widths).toEqual([64, 344, 284]);
      await expect.element(button('Details')).not.toBeInTheDocument();
    } else {
      if (phone) await button('More').click();
      await (phone ? screen.getByRole('menuitem', { name: 'Details' }) : button('Details')).click();
      const sheet = screen.getByRole('dialog', { name: 'Details' });
      await expect.element(sheet.getByText(/^V-/)).toBeVisible();
      await userEvent.keyboard('{Escape}');
      await expect.element(sheet).not.toBeInTheDocument();
      await expect.element(button(phone ? 'More' : 'Details')).toHaveFocus();
    }
    expect(location.pathname).toBe(path);
    await button('Back to Queue').click();
    await expect.element(all['My Queue']).toBeVisible();
    await expect
      .element(screen.getByRole('textbox', { name: 'Type your message...' }))
      .not.toBeInTheDocument();
  },
);
