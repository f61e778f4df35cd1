import type { ReplyMail } from '@settee/protocol/model/mail';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { afterEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { Refused } from '../../../test/fakeGateway.ts';
import { renderVisitor } from '../../../test/renderVisitor.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const nothing: ReplyMail = { address: null, pending: null, refused: false };

async function openForm(mail: ReplyMail) {
  let now = mail;
  const become = (next: ReplyMail) => {
    now = next;
    return { mail: next };
  };
  const rendered = await renderVisitor({
    conversation: { canMail: true },
    answers: {
      readReplyMail: () => ({ mail: now }),
      saveReplyMail: ({ body }) => become({ ...mail, pending: `v…${body.address.slice(-12)}` }),
      confirmReplyMail: ({ body }) =>
        body.code === '123456'
          ? become({ ...nothing, address: 'v…@example.org' })
          : new Refused('code_invalid', { error: visitorMailTexts.codeWrong }),
      dropReplyMail: {},
    },
  });
  await rendered.screen.getByRole('button', { name: 'More' }).click();
  await rendered.screen.getByRole('menuitem', { name: visitorMailTexts.title }).click();
  return { ...rendered, dialog: rendered.screen.getByRole('dialog') };
}

test('a visitor leaves an address, enters the code, and removes it again', async () => {
  const { dialog, gateway } = await openForm(nothing);
  const address = dialog.getByLabelText(visitorMailTexts.address);
  for (const wrong of ['', 'not an address', 'anna@gmail', 'root@127.0.0.1']) {
    await address.fill(wrong);
    await dialog.getByRole('button', { name: visitorMailTexts.send }).click();
    await expect.element(dialog.getByText(visitorMailTexts.addressInvalid)).toBeVisible();
    await expect.element(address).toHaveFocus();
  }
  expect(gateway.asked('saveReplyMail')).toEqual([]);
  await address.fill(' visitor@example.org ');
  await dialog.getByRole('button', { name: visitorMailTexts.send }).click();
  await expect.element(dialog.getByRole('heading', { name: visitorMailTexts.codeTitle })).toBeVisible();
  expect(gateway.asked('saveReplyMail')).toMatchObject([
    { body: { address: 'visitor@example.org', language: 'en' } },
  ]);

  const code = dialog.getByLabelText(visitorMailTexts.code);
  await code.fill('000000');
  await dialog.getByRole('button', { name: visitorMailTexts.confirm }).click();
  await expect.element(dialog.getByText(visitorMailTexts.codeWrong)).toBeVisible();
  await code.fill('١٢٣٤٥٦');
  await dialog.getByRole('button', { name: visitorMailTexts.confirm }).click();
  await expect
    .element(dialog.getByText('When there is a reply, we write to v…\u2060@example.org.'))
    .toBeVisible();
  await dialog.getByRole('button', { name: visitorMailTexts.remove }).click();
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toBeVisible();
  expect(gateway.asked('dropReplyMail')).toHaveLength(1);
});

test('a refused address is named, and another one can be entered', async () => {
  const { dialog } = await openForm({ ...nothing, address: 'v…@example.org', refused: true });
  await expect.element(dialog.getByText(visitorMailTexts.refused)).toBeVisible();
  await dialog.getByRole('button', { name: visitorMailTexts.otherAddress }).click();
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toBeVisible();
  await expect.element(dialog.getByText(visitorMailTexts.refused)).not.toBeInTheDocument();
});

test('a refusal that arrives later is shown in the code step; a new code can be sent, and another address starts without a problem', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { dialog, gateway } = await openForm(nothing);
  await dialog.getByLabelText(visitorMailTexts.address).fill('visitor@example.org');
  await dialog.getByRole('button', { name: visitorMailTexts.send }).click();
  const code = dialog.getByLabelText(visitorMailTexts.code);
  await code.fill('12');
  const pending = 'v…@example.org';
  gateway.answer('readReplyMail', { mail: { ...nothing, pending, refused: true } });
  vi.advanceTimersByTime(5_000);
  await expect.element(dialog.getByText(visitorMailTexts.refused)).toBeVisible();
  await expect.element(code).toHaveValue('12');

  gateway.answer('saveReplyMail', () => new Refused('too_many', { error: 'Too many codes.' }));
  await dialog.getByRole('button', { name: visitorMailTexts.sendAgain }).click();
  await expect.element(dialog.getByText('Too many codes.')).toBeVisible();
  gateway.answer('saveReplyMail', { mail: { ...nothing, pending } });
  await dialog.getByRole('button', { name: visitorMailTexts.sendAgain }).click();
  await expect
    .element(dialog.getByRole('status'))
    .toHaveTextContent('We have sent a new code to v…\u2060@example.org.');
  await expect.element(dialog.getByText(visitorMailTexts.refused)).not.toBeInTheDocument();
  await expect.element(code).toHaveValue('');
  await expect.element(code).toHaveFocus();
  expect(gateway.asked('saveReplyMail').map(({ body }) => body.address)).toEqual(
    Array(3).fill('visitor@example.org'),
  );

  await code.fill('000000');
  await dialog.getByRole('button', { name: visitorMailTexts.confirm }).click();
  await expect.element(dialog.getByText(visitorMailTexts.codeWrong)).toBeVisible();
  await dialog.getByRole('button', { name: visitorMailTexts.otherAddress }).click();
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toBeVisible();
  await expect.element(dialog.getByText(visitorMailTexts.codeWrong)).not.toBeInTheDocument();
});

test('a code that is void after a while leads back to the address', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { dialog, gateway } = await openForm({ ...nothing, pending: 'v…@example.org' });
  await expect.element(dialog.getByLabelText(visitorMailTexts.code)).toBeVisible();
  gateway.answer('readReplyMail', { mail: nothing });
  vi.advanceTimersByTime(5_000);
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toBeVisible();
  await expect.element(dialog.getByText(visitorMailTexts.codeExpired)).toBeVisible();
});

test('a confirmed address is shown and can be removed while another one is entered', async () => {
  const { dialog, gateway } = await openForm({
    ...nothing,
    address: 'o…@example.org',
    pending: 'v…@example.com',
  });
  await expect.element(dialog.getByLabelText(visitorMailTexts.code)).toBeVisible();
  const old = dialog.getByText('When there is a reply, we write to o…\u2060@example.org.');
  await expect.element(old).toBeVisible();
  // The page does not know the whole address any more.
  await dialog.getByRole('button', { name: visitorMailTexts.sendAgain }).click();
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toHaveFocus();
  await expect.element(old).toBeVisible();
  await dialog.getByRole('button', { name: visitorMailTexts.remove }).click();
  await expect.element(old).not.toBeInTheDocument();
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toHaveFocus();
  expect(gateway.asked('dropReplyMail')).toHaveLength(1);
});

test('each step has the focus in its field, and its note is announced', async () => {
  const { dialog } = await openForm(nothing);
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toHaveFocus();
  await userEvent.keyboard('visitor@example.org{Enter}');
  await expect.element(dialog.getByLabelText(visitorMailTexts.code)).toHaveFocus();
  await expect
    .element(dialog.getByRole('status'))
    .toHaveTextContent(
      'We have sent a code with 6 digits to v…\u2060@example.org. It may take some minutes.',
    );
  await userEvent.keyboard('123456{Enter}');
  await expect.element(dialog.getByRole('button', { name: visitorMailTexts.done })).toHaveFocus();
  await expect
    .element(dialog.getByRole('status'))
    .toHaveTextContent('When there is a reply, we write to v…\u2060@example.org.');
});

test('without permission there is no entry; outside the opening hours the form is offered below the note', async () => {
  const { screen } = await renderVisitor();
  await screen.getByRole('button', { name: 'More' }).click();
  await expect.element(screen.getByRole('menuitem', { name: 'Change name' })).toBeVisible();
  await expect
    .element(screen.getByRole('menuitem', { name: visitorMailTexts.title }))
    .not.toBeInTheDocument();
  await screen.unmount();

  const away = await renderVisitor({
    conversation: { canMail: true, away: { message: 'Closed now.', until: null } },
    answers: { readReplyMail: { mail: nothing } },
  });
  await away.screen.getByRole('button', { name: visitorMailTexts.title }).click();
  await expect.element(away.screen.getByRole('dialog', { name: visitorMailTexts.title })).toBeVisible();
});
