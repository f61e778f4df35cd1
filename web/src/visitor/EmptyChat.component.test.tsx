import { defaultBrand } from '@settee/protocol/model/brand';
import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { EmptyChat, Greeting } from './EmptyChat.tsx';

const brand = { ...defaultBrand, displayName: 'Mara Lindqvist', usualReplyMinutes: 10 };

test('an empty chat shows the host and the reply time; a greeting is bubbles without number or time', async () => {
  const screen = await render(
    <>
      <EmptyChat brand={brand}>
        <p>{texts.privateNote}</p>
      </EmptyChat>
      <Greeting brand={brand} greeting={'Hello, and welcome.\n\nAsk me anything.'} />
    </>,
  );
  await expect.element(screen.getByText(texts.visitorEmpty)).toBeVisible();
  await expect.element(screen.getByText('Usually replies within 10 minutes')).toBeVisible();
  await expect.element(screen.getByText(texts.privateNote)).toBeVisible();
  expect(document.querySelector('[data-size="72"]')?.getBoundingClientRect().width).toBe(72);
  const bubbles = screen.getByRole('article').elements();
  expect(bubbles.map(({ textContent }) => textContent)).toEqual(['Hello, and welcome.', 'Ask me anything.']);
  for (const bubble of bubbles) {
    expect(bubble.getAttribute('aria-label')).toBe('Mara Lindqvist');
    expect(bubble.querySelector('time, button')).toBeNull();
    expect(bubble.hasAttribute('data-seq')).toBe(false);
  }
});
