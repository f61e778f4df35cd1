import type { Person } from '@settee/protocol/calls/peopleCalls';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { Refused } from '../../../test/fakeGateway.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

const mover: Person = {
  id: idOf('Mover'),
  name: 'Mover',
  email: 'mover@example.org',
  role: 'handler',
  alias: 'old-desk',
  active: true,
  online: false,
  away: false,
  lastSeenAt: null,
  open: 1,
  medianFirstReplyMs: null,
  hasFactor: false,
};

test('a refused change does not empty the desk, and its move cannot be cancelled', async () => {
  let left = 1;
  const { screen, gateway } = await renderAdmin({
    path: '/admin/handlers',
    answers: {
      readPeople: { people: [mover], next: null },
      readDesks: {
        desks: [
          { alias: 'old-desk', people: ['Mover'], online: false },
          { alias: 'heir', people: ['Heir'], online: true },
        ],
      },
      readLeaving: () => ({ conversations: left, invites: 0 }),
      changePerson: ({ body: { person } }) => {
        if (person.alias !== undefined && left > 0) return new Refused('desk_in_use');
        return person.email === 'taken@example.org' ? new Refused('email_taken') : {};
      },
      moveDesk: () => {
        left = 0;
        return { moved: 1, left };
      },
    },
  });
  await screen.getByRole('button', { name: 'Actions for Mover' }).click();
  await screen.getByRole('menuitem', { name: peopleTexts.edit }).click();
  const dialog = screen.getByRole('dialog', { name: 'Edit Mover' });
  const save = dialog.getByRole('button', { name: adminTexts.save });
  const email = dialog.getByLabelText(peopleTexts.email);
  await email.fill('taken@example.org');
  await dialog.getByLabelText(peopleTexts.alias).fill('new-desk');
  await save.click();
  await dialog.getByRole('combobox', { name: peopleTexts.moveTo }).selectOptions('heir');
  await save.click();
  await expect.element(email).toHaveAttribute('aria-invalid', 'true');
  expect(gateway.asked('moveDesk')).toEqual([]);

  await email.fill('mover@example.org');
  const release = gateway.hold('moveDesk');
  await save.click();
  await expect.poll(() => gateway.asked('moveDesk').length).toBe(1);
  await expect.element(dialog.getByRole('button', { name: consoleTexts.cancel })).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).toBeVisible();
  release();
  await expect.element(screen.getByText('Mover was updated.')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.asked('moveDesk')).toMatchObject([{ params: { alias: 'old-desk' }, body: { to: 'heir' } }]);
  expect(gateway.asked('changePerson').at(-1)?.body.person).toEqual({ alias: 'new-desk' });
});
