import { Person } from '@settee/protocol/calls/peopleCalls';
import { defaultBrand } from '@settee/protocol/model/brand';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { idOf } from '../../test/chats.ts';
import { type Answers, Refused } from '../../test/fakeGateway.ts';
import { renderAdmin } from '../../test/renderAdmin.tsx';
import { CropDialog } from './profile/CropDialog.tsx';

const mover: Person = {
  ...v.getDefaults(Person),
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
  const desk = dialog.getByLabelText(peopleTexts.desk);
  await desk.fill('New Desk');
  await save.click();
  const target = dialog.getByRole('combobox', { name: peopleTexts.moveTo });
  await target.selectOptions('heir');
  await desk.fill('old-desk');
  await expect.element(target).not.toBeInTheDocument();
  await desk.fill('New Desk');
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
  expect(gateway.asked('changePerson').at(-1)?.body.person).toEqual({
    alias: 'new-desk',
    deskName: 'New Desk',
  });
});

test('a person gets another desk, and the work of a desk that they leave is moved first', async () => {
  const { screen, gateway } = await renderAdmin({
    path: '/admin/handlers',
    answers: {
      readPeople: { people: [{ ...mover, desks: ['old-desk', 'press'] }], next: null },
      readDesks: {
        desks: [
          { alias: 'old-desk', people: ['Mover'], online: false },
          { alias: 'press', people: ['Mover', 'Heir'], online: true },
        ],
        names: { press: 'Press', radio: 'Radio' },
      },
      readLeaving: {
        conversations: 2,
        invites: 0,
        desks: [{ alias: 'old-desk', conversations: 2, invites: 0 }],
      },
      moveDesk: { moved: 2, left: 0 },
      changePerson: {},
    },
  });
  await expect.element(screen.getByTitle(/^old-desk.*Press$/)).toBeVisible();
  await screen.getByRole('button', { name: 'Actions for Mover' }).click();
  await screen.getByRole('menuitem', { name: peopleTexts.desks }).click();
  const dialog = screen.getByRole('dialog', { name: 'Desks of Mover' });
  const text = dialog.getByRole('textbox');
  const save = dialog.getByRole('button', { name: adminTexts.save });
  await text.fill('rad');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByRole('checkbox', { name: 'Radio' })).toBeChecked();
  await text.fill('Night Shift');
  await save.click();
  await expect.element(dialog.getByRole('checkbox', { name: 'Night Shift' })).toBeChecked();
  expect(gateway.asked('readLeaving')).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'old-desk' }).click();
  await dialog.getByRole('checkbox', { name: 'Press' }).click();
  await dialog.getByRole('checkbox', { name: 'Press' }).click();
  await save.click();
  const target = dialog.getByRole('combobox', { name: peopleTexts.moveTo });
  await expect.element(target).toBeVisible();
  expect(gateway.asked('changePerson')).toEqual([]);
  await target.selectOptions('press');
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.asked('moveDesk')).toMatchObject([{ params: { alias: 'old-desk' }, body: { to: 'press' } }]);
  expect(gateway.asked('changePerson')[0]?.body.person).toEqual({
    desks: ['press', 'radio', 'night-shift'],
    deskNames: { 'night-shift': 'Night Shift' },
  });
});

/** The dialog with the desks of a person at these desks. */
async function openDesks(own: string[], names: Record<string, string>, more: Answers = {}) {
  const { screen, gateway } = await renderAdmin({
    path: '/admin/handlers',
    answers: {
      readPeople: { people: [{ ...mover, alias: own[0] ?? null, desks: own }], next: null },
      readDesks: { desks: own.map((alias) => ({ alias, people: ['Mover', 'Heir'], online: true })), names },
      readLeaving: { conversations: 0, invites: 0 },
      changePerson: {},
      ...more,
    },
  });
  await screen.getByRole('button', { name: 'Actions for Mover' }).click();
  await screen.getByRole('menuitem', { name: peopleTexts.desks }).click();
  const dialog = screen.getByRole('dialog', { name: 'Desks of Mover' });
  return {
    screen,
    gateway,
    dialog,
    text: dialog.getByRole('textbox'),
    desk: (name: string) => dialog.getByRole('checkbox', { name, exact: true }),
    save: dialog.getByRole('button', { name: adminTexts.save }),
  };
}

test('Enter adds a desk whose name is the beginning of one that the person has', async () => {
  const { dialog, text, desk, save, gateway } = await openDesks(['press-office', 'tour'], {
    'press-office': 'Press Office',
    tour: 'Tour',
  });
  await text.fill('Press');
  await userEvent.keyboard('{Enter}');
  await expect.element(desk('Press')).toBeChecked();
  // As by the button, after which the next name can be typed.
  await text.fill('Radio');
  await dialog.getByRole('button', { name: 'Add Radio' }).click();
  await expect.element(desk('Radio')).toBeChecked();
  await expect.element(text).toHaveFocus();
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.asked('changePerson')[0]?.body.person).toEqual({
    desks: ['press-office', 'tour', 'press', 'radio'],
    deskNames: { press: 'Press', radio: 'Radio' },
  });
});

test('the desks that a colleague has changed meanwhile stay as they are', async () => {
  const { dialog, desk, save, gateway } = await openDesks(['front-desk', 'press'], {
    'front-desk': 'Front Desk',
    press: 'Press',
    radio: 'Radio',
    tour: 'Tour',
  });
  await desk('Radio').click();
  await desk('Press').click();
  gateway.answer('readPeople', {
    people: [{ ...mover, alias: 'tour', desks: ['tour', 'press'] }],
    next: null,
  });
  // Nothing is moved from a desk that stays.
  gateway.answer('readLeaving', {
    conversations: 3,
    invites: 0,
    desks: [
      { alias: 'tour', conversations: 3, invites: 0 },
      { alias: 'press', conversations: 0, invites: 0 },
    ],
  });
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.asked('changePerson')[0]?.body.person).toEqual({ desks: ['tour', 'radio'] });
});

test('who is deactivated leaves only the desks where there is work', async () => {
  const { screen, gateway } = await renderAdmin({
    path: '/admin/handlers',
    answers: {
      readPeople: { people: [{ ...mover, desks: ['old-desk', 'press'] }], next: null },
      readDesks: {
        desks: ['old-desk', 'press', 'heir'].map((alias) => ({ alias, people: ['Mover'], online: false })),
      },
      readLeaving: {
        conversations: 2,
        invites: 0,
        desks: [
          { alias: 'old-desk', conversations: 0, invites: 0 },
          { alias: 'press', conversations: 2, invites: 0 },
        ],
      },
      moveDesk: { moved: 2, left: 0 },
      deactivatePerson: {},
    },
  });
  await screen.getByRole('button', { name: 'Actions for Mover' }).click();
  await screen.getByRole('menuitem', { name: peopleTexts.deactivate }).click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText(/^No one else answers at press\. It has 2 open/)).toBeVisible();
  await dialog.getByRole('combobox').selectOptions('heir');
  await dialog.getByRole('button', { name: peopleTexts.deactivate }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.asked('moveDesk')).toMatchObject([{ params: { alias: 'press' }, body: { to: 'heir' } }]);
});

test('the bar of unsaved changes covers no field, saving keeps the focus, and the toast covers no button', async () => {
  const { screen } = await renderAdmin({
    path: '/admin/profile',
    answers: {
      saveProfileSettings: ({ body: { greeting = '' } }) => ({
        brand: { ...defaultBrand, greeting },
        settings: { ...defaultSettings, reopenDays: 7, keepDays: null },
      }),
    },
  });
  const fields = screen.getByRole('main').getByRole('textbox');
  const bar = screen.getByRole('region', { name: adminTexts.unsaved });
  await expect.element(fields.first()).toBeVisible();
  for (const field of fields.all().slice(0, 5)) {
    // At the lower edge, where the bar appears.
    field.element().scrollIntoView({ block: 'end' });
    await field.click();
    await userEvent.keyboard('x');
    await expect.element(bar).toBeVisible();
    const { bottom } = field.element().getBoundingClientRect();
    expect(bottom).toBeLessThanOrEqual(bar.element().getBoundingClientRect().top);
    await bar.getByRole('button', { name: adminTexts.discard }).click();
    await expect.element(bar).not.toBeInTheDocument();
    await expect.element(field).toHaveFocus();
  }

  const greeting = screen.getByLabelText(profileTexts.greeting);
  await greeting.fill('Hello there');
  await bar.getByRole('button', { name: adminTexts.save }).click();
  const toast = screen.getByText(adminTexts.saved);
  await expect.element(toast).toBeVisible();
  await expect.element(greeting).toHaveFocus();
  // The toast does not block the page: the account button beside it works.
  await screen.getByRole('button', { name: new RegExp(`^${consoleTexts.me}`) }).click();
  await expect.element(screen.getByRole('menu')).toBeVisible();
});

test('the profile page lets visitors leave an address, and shows refusals without addresses', async () => {
  const settings = { ...defaultSettings, reopenDays: 7, keepDays: null };
  const figure = { kind: 'reply', lastAt: 1 } as const;
  const { screen, gateway } = await renderAdmin({
    path: '/admin/profile',
    answers: {
      readMailFigures: {
        figures: [
          { ...figure, outcome: 'sent', count: 12, lastReason: null },
          { ...figure, outcome: 'refused', count: 3, lastReason: '550 5.1.1' },
        ],
      },
      saveProfileSettings: ({ body: { visitorMail = false } }) => ({
        brand: defaultBrand,
        settings: { ...settings, visitorMail },
      }),
    },
  });
  const card = screen.getByRole('region', { name: staffMailTexts.title });
  for (const name of ['Sent 12', 'Refused 3', 'Given up 0', 'Last problem 550 5.1.1'])
    await expect.element(card.getByRole('row', { name })).toBeVisible();
  await card.getByRole('checkbox', { name: staffMailTexts.visitorMail }).click();
  await screen.getByRole('button', { name: adminTexts.save }).click();
  await expect.element(screen.getByText(adminTexts.saved)).toBeVisible();
  expect(gateway.asked('saveProfileSettings')).toMatchObject([{ body: { visitorMail: true } }]);
});

/** Left half red, right half blue. */
async function halves(): Promise<ImageBitmap> {
  const canvas = new OffscreenCanvas(800, 400);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#f00';
  context.fillRect(0, 0, 400, 400);
  context.fillStyle = '#00f';
  context.fillRect(400, 0, 400, 400);
  return createImageBitmap(canvas);
}

/** The colours at the left edge, in the centre and at the right edge of the cropped image. */
async function coloursOf(blob: Blob): Promise<('red' | 'blue')[]> {
  const kept = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(kept.width, kept.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(kept, 0, 0);
  return [2, kept.width / 2 - 4, kept.width - 2].map((x) => {
    const [red = 0, , blue = 0] = context.getImageData(x, kept.height / 2, 1, 1).data;
    return red > blue ? 'red' : 'blue';
  });
}

async function opened() {
  const onCropped = vi.fn<(square: Blob) => void>();
  const screen = await render(
    <CropDialog picture={await halves()} onCropped={onCropped} onClose={() => {}} />,
  );
  const kept = async () => {
    await screen.getByRole('button', { name: profileTexts.cropUse }).click();
    await expect.poll(() => onCropped.mock.calls.length).toBe(1);
    return coloursOf(onCropped.mock.calls[0]?.[0] ?? new Blob());
  };
  return { screen, kept };
}

test('the crop is moved by buttons, without dragging', async () => {
  const { screen, kept } = await opened();
  for (let n = 0; n < 3; n += 1) await screen.getByRole('button', { name: profileTexts.cropRight }).click();
  expect((await kept())[1]).toBe('blue');
});

test('[MEDIA-13] the picture is cropped by dragging, up to its edge', async () => {
  const { screen, kept } = await opened();
  const view = screen.getByRole('button', { name: profileTexts.cropArea });
  const { width } = view.element().getBoundingClientRect();
  await userEvent.dragAndDrop(view, view, {
    sourcePosition: { x: width - 10, y: 60 },
    targetPosition: { x: 10, y: 60 },
  });
  expect(await kept()).toEqual(['blue', 'blue', 'blue']);
});
