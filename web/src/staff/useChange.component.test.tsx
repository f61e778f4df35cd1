import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { type Toasts, ToastsContext, toastStore } from './toast/toasts.ts';
import { useChange } from './useChange.ts';

type Sent = { answer: (outcome: { ok: true; answer: string } | { ok: false; text: string }) => void };

function Example({ sent, problems }: { sent: Sent[]; problems?: 'toast' }) {
  const { busy, error, submit } = useChange(problems);
  const send = () => new Promise<Parameters<Sent['answer']>[0]>((answer) => sent.push({ answer }));
  return (
    <form onSubmit={submit(send, { say: (name) => `${name} saved` })}>
      <input aria-label="Name" defaultValue="" />
      <p>{busy ? 'Busy' : 'Idle'}</p>
      <p role="alert">{error}</p>
      <button type="submit">Save</button>
    </form>
  );
}

async function renderExample(problems?: 'toast') {
  const sent: Sent[] = [];
  const toasts: Toasts = toastStore();
  const screen = await render(
    <ToastsContext value={toasts}>
      <Example sent={sent} {...(problems && { problems })} />
    </ToastsContext>,
  );
  return { screen, sent, toasts, save: screen.getByRole('button', { name: 'Save' }) };
}

test('a second click makes no second change, and success is announced', async () => {
  const { screen, sent, toasts, save } = await renderExample();
  await save.dblClick();
  await expect.element(screen.getByText('Busy')).toBeVisible();
  expect(sent).toHaveLength(1);
  sent[0]?.answer({ ok: true, answer: 'Mara' });
  await expect.element(screen.getByText('Idle')).toBeVisible();
  expect(toasts.get()?.text).toBe('Mara saved');
});

test('after a failure the text says why, what was typed stays, and the next try clears it', async () => {
  const { screen, sent, toasts, save } = await renderExample();
  await screen.getByLabelText('Name').fill('Mara');
  await save.click();
  sent[0]?.answer({ ok: false, text: 'Taken' });
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Taken');
  await expect.element(screen.getByLabelText('Name')).toHaveValue('Mara');
  expect(toasts.get()).toBeNull();
  await save.click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('');
  expect(sent).toHaveLength(2);
});

test('a problem goes to a toast if the screen wants it, or is gone', async () => {
  const wanted = await renderExample('toast');
  await wanted.save.click();
  wanted.sent[0]?.answer({ ok: false, text: 'Taken' });
  await expect.poll(() => wanted.toasts.get()?.text).toBe('Taken');
  await expect.element(wanted.screen.getByRole('alert')).toHaveTextContent('');
  await wanted.screen.unmount();

  const { screen, sent, toasts, save } = await renderExample();
  await save.click();
  await screen.unmount();
  sent[0]?.answer({ ok: false, text: 'Too late' });
  await expect.poll(() => toasts.get()?.text).toBe('Too late');
});
